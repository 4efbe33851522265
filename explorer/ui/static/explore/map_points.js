// The points of a map on a canvas, with WebGL; without a graphics card, mark by mark.

import { drawPixels } from "./map_pixels.js";

const BYTES_PER_POINT = 8; // per point: two 16-bit coordinates, code, flag, and two bytes of padding
const OUTSIDE_CODE = 255; // the code of films outside the slice
export const SHAPES = { disc: 0, down: 1, up: 2, ring: 3 };

const VERTEX = `#version 300 es
layout(location = 0) in vec2 place;
layout(location = 1) in float code;
layout(location = 2) in float flag;
uniform float size;
uniform sampler2D palette;
flat out vec4 color;
flat out float shape;
void main() {
  color = texelFetch(palette, ivec2(int(code), 0), 0);
  shape = texelFetch(palette, ivec2(int(code), 1), 0).r * 255.0;
  if (flag > 0.5) color.a = 1.0;
  gl_Position = vec4(place * 2.0 - 1.0, 0.0, 1.0);
  gl_PointSize = size * (flag > 0.5 ? 1.3 : 1.0);
}`;

const FRAGMENT = `#version 300 es
precision mediump float;
flat in vec4 color;
flat in float shape;
uniform float shaped;
out vec4 drawn;
void main() {
  vec2 at = gl_PointCoord * 2.0 - 1.0;
  float far = length(at);
  bool inside = far < 1.0;
  if (shaped > 0.5 && shape > 2.5) inside = far < 0.95 && far > 0.5;
  else if (shaped > 0.5 && shape > 1.5) inside = abs(at.x) < (at.y + 1.0) * 0.5 && at.y < 0.9;
  else if (shaped > 0.5 && shape > 0.5) inside = abs(at.x) < (1.0 - at.y) * 0.5 && at.y > -0.9;
  if (!inside) discard;
  drawn = vec4(color.rgb * color.a, color.a);
}`;

let hasCardCached = null;

// Whether WebGL runs on a graphics card. Tested on a separate canvas: one with a WebGL context cannot draw marks.
function hasGraphicsCard() {
  if (hasCardCached !== null) return hasCardCached;
  const gl = document.createElement("canvas").getContext("webgl2");
  const rendererName = gl?.getExtension("WEBGL_debug_renderer_info")?.UNMASKED_RENDERER_WEBGL ?? gl?.RENDERER;
  hasCardCached = gl !== null && !/swiftshader|llvmpipe|software|basic render/i.test(gl.getParameter(rendererName));
  gl?.getExtension("WEBGL_lose_context")?.loseContext();
  return hasCardCached;
}

export class MapPoints {
  // `software`: use WebGL even without a graphics card, which is slower than plain marks.
  constructor(canvas, { software = false } = {}) {
    this.canvas = canvas;
    this.gl = software || hasGraphicsCard() ? canvas.getContext("webgl2", { antialias: false }) : null;
    if (this.gl) {
      this.beginDrawing();
      canvas.addEventListener("webglcontextlost", (event) => event.preventDefault());
      canvas.addEventListener("webglcontextrestored", () => {
        this.beginDrawing();
        if (this.shown) this.show(this.shown);
      });
    } else this.context = canvas.getContext("2d");
  }

  beginDrawing() {
    const { gl } = this;
    const program = gl.createProgram();
    for (const [kind, source] of [[gl.VERTEX_SHADER, VERTEX], [gl.FRAGMENT_SHADER, FRAGMENT]]) {
      const shader = gl.createShader(kind);
      gl.shaderSource(shader, source);
      gl.compileShader(shader);
      gl.attachShader(program, shader);
    }
    gl.linkProgram(program);
    gl.useProgram(program);
    this.uniforms = Object.fromEntries(["size", "shaped"].map((name) => [name, gl.getUniformLocation(program, name)]));
    gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
    for (const [at, count, kind, normal, offset] of [[0, 2, gl.UNSIGNED_SHORT, true, 0], [1, 1, gl.UNSIGNED_BYTE, false, 4], [2, 1, gl.UNSIGNED_BYTE, false, 5]]) {
      gl.enableVertexAttribArray(at);
      gl.vertexAttribPointer(at, count, kind, normal, BYTES_PER_POINT, offset);
    }
    gl.bindTexture(gl.TEXTURE_2D, gl.createTexture());
    for (const which of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER]) gl.texParameteri(gl.TEXTURE_2D, which, gl.NEAREST);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
  }

  // x, y, codes, flags: typed arrays; palette: [r, g, b, alpha] from 0 to 255 and shapes, by code; order: the codes
  // in drawing order, the last one on top.
  show(points) {
    this.shown = points;
    this.sorted = sortByCode(points);
    if (!this.gl) return this.draw();
    const { gl } = this;
    gl.bufferData(gl.ARRAY_BUFFER, interleave(points, this.sorted), gl.STATIC_DRAW);
    const texture = new Uint8Array(256 * 2 * 4);
    for (const [code, color] of points.palette.entries()) {
      texture.set(color, code * 4);
      texture[(256 + code) * 4] = points.shapes[code] ?? SHAPES.disc;
    }
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, 256, 2, 0, gl.RGBA, gl.UNSIGNED_BYTE, texture);
    this.draw();
  }

  // The size of a point in CSS pixels: if there are few points, their shapes can be told apart.
  get pointSize() {
    const n = this.shown.x.length;
    return n <= 5000 ? 7 : n <= 20_000 ? 4 : n <= 120_000 ? 2.4 : 1.7;
  }

  draw() {
    if (!this.shown) return;
    const { canvas, gl } = this;
    const ratio = devicePixelRatio || 1;
    const side = Math.max(1, Math.round(canvas.clientWidth * ratio));
    if (canvas.width !== side || canvas.height !== side) Object.assign(canvas, { width: side, height: side });
    if (!gl) return this.drawMarks(side, this.pointSize * ratio);
    gl.viewport(0, 0, side, side);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT);
    gl.uniform1f(this.uniforms.size, this.pointSize * ratio);
    gl.uniform1f(this.uniforms.shaped, this.pointSize > 5 ? 1 : 0);
    gl.drawArrays(gl.POINTS, 0, this.shown.x.length);
  }

  drawMarks(side, size) {
    const { context, shown } = this;
    const { x, y, codes, flags, palette, shapes } = shown;
    if (this.pointSize <= 5) return context.putImageData(drawPixels(shown, this.sorted, side, size), 0, 0);
    context.clearRect(0, 0, side, side);
    let last = "";
    for (const at of this.sorted) {
      const [red, green, blue, alpha] = palette[codes[at]];
      const style = `rgb(${red} ${green} ${blue} / ${flags[at] ? 1 : alpha / 255})`;
      if (style !== last) context.fillStyle = context.strokeStyle = last = style;
      const [across, down, reach] = [(x[at] / 65_535) * side, (1 - y[at] / 65_535) * side, (size / 2) * (flags[at] ? 1.3 : 1)];
      MARKS[shapes[codes[at]] ?? SHAPES.disc](context, across, down, reach);
    }
  }
}

// Each shape at a point (x, y), with radius `reach`.
const drawRing = (context, x, y, radius) => {
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
};
const drawTriangle = (context, x, y, width, height) => {
  context.beginPath();
  context.moveTo(x - width, y - height);
  context.lineTo(x + width, y - height);
  context.lineTo(x, y + height);
  context.fill();
};
const MARKS = {
  [SHAPES.disc]: (context, x, y, reach) => {
    drawRing(context, x, y, reach);
    context.fill();
  },
  [SHAPES.ring]: (context, x, y, reach) => {
    drawRing(context, x, y, reach * 0.7);
    context.lineWidth = reach * 0.4;
    context.stroke();
  },
  [SHAPES.down]: (context, x, y, reach) => drawTriangle(context, x, y, reach, reach * 0.9),
  [SHAPES.up]: (context, x, y, reach) => drawTriangle(context, x, y, reach, -reach * 0.9),
};

// The indices of the points in drawing order: by code, those of the slice last within each.
function sortByCode({ codes, flags, order }) {
  const rank = new Uint16Array(256);
  for (const [place, code] of order.entries()) rank[code] = place + 1;
  rank[OUTSIDE_CODE] = 0;
  const starts = new Uint32Array(2 * 257 + 1);
  const slot = (at) => rank[codes[at]] * 2 + (flags[at] ? 1 : 0);
  for (let at = 0; at < codes.length; at += 1) starts[slot(at) + 1] += 1;
  for (let each = 1; each < starts.length; each += 1) starts[each] += starts[each - 1];
  const sorted = new Uint32Array(codes.length);
  for (let at = 0; at < codes.length; at += 1) sorted[starts[slot(at)]++] = at;
  return sorted;
}

function interleave({ x, y, codes, flags }, sorted) {
  const buffer = new ArrayBuffer(sorted.length * BYTES_PER_POINT);
  const places = new Uint16Array(buffer);
  const bytes = new Uint8Array(buffer);
  for (let row = 0; row < sorted.length; row += 1) {
    const at = sorted[row];
    places[row * 4] = x[at];
    places[row * 4 + 1] = y[at];
    bytes[row * BYTES_PER_POINT + 4] = codes[at];
    bytes[row * BYTES_PER_POINT + 5] = flags[at];
  }
  return buffer;
}

// A film as explorer/picture.py packs it: 16 bits in the red and green channel of a PNG.

export const TOP_LEVEL = 65535;

// Resolves to {width, height, levels, intact}; `levels` is a Uint16Array by rows. `intact` is false where the browser
// returned other pixels than the server sent: some add noise to each canvas against fingerprinting.
export async function unpackFilm(source, checksum) {
  const image = new Image();
  image.src = source;
  await image.decode();
  const [width, height] = [image.naturalWidth, image.naturalHeight];
  const canvas = document.createElement("canvas");
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext("2d", { willReadFrequently: true });
  context.drawImage(image, 0, 0);
  const bytes = context.getImageData(0, 0, width, height).data;
  const levels = new Uint16Array(width * height);
  let sum = 0; // below 2 ** 53 for any film that fits
  for (let i = 0; i < levels.length; i++) {
    levels[i] = (bytes[i * 4] << 8) | bytes[i * 4 + 1];
    sum += levels[i];
  }
  return { width, height, levels, intact: sum % 2 ** 32 === checksum };
}

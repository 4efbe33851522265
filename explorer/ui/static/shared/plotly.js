// plotly.js, which draws the server's charts: 4 MB, loaded once and only for visitors who open a chart.

let plotly = null;

export function loadPlotly(address) {
  plotly ??= new Promise((loaded, failed) => {
    const script = document.createElement("script");
    script.src = address;
    script.addEventListener("load", () => loaded(window.Plotly));
    script.addEventListener("error", () => {
      plotly = null;
      failed(new Error("plotly.js did not load"));
    });
    document.head.append(script);
  });
  return plotly;
}

// plotly.js, which draws what the server made: 4 MB, fetched once and only for those who open a chart.

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

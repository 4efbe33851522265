// Calls to the server, and refusals that stand in for a missing answer.

const FILM_GONE = { stage: "unscored", title: "The film is no longer here", detail: "Films are kept for 30 minutes. Open it again." };
export const SERVER_SILENT = { stage: "unscored", title: "Tailscope is not responding", detail: "Check that it is still running, then open the film again." };
export const READING_FAILED = { title: "The film could not be read", detail: "The terminal that Tailscope runs in says why. Open the film again." };

// Why the server no longer has the film of a token.
export const explainMissingFilm = async (server, token) => (await callServer(server.gone, token)) ?? FILM_GONE;

// Gradio answers undefined without a server; ours answers null without a film.
export async function callServer(question, argument) {
  const answer = await question(argument).catch(() => undefined);
  return answer === undefined ? SERVER_SILENT : answer;
}

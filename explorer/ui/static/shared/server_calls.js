// Calls to the server, and what stands in for an answer where there is none.

const GONE = { stage: "unscored", title: "The film is no longer here", detail: "Films are kept for 30 minutes. Open it again." };
export const LOST = { stage: "unscored", title: "Tailscope does not answer", detail: "Check that it is still running, then open the film again." };
export const FAILED = { title: "The film could not be read", detail: "The terminal that Tailscope runs in says why. Open the film again." };

// Why the film behind a token is not with the server any more.
export const whyGone = async (server, token) => (await call(server.gone, token)) ?? GONE;

// Gradio answers undefined where there is no server; ours answers null where there is no film.
export async function call(question, argument) {
  const answer = await question(argument).catch(() => undefined);
  return answer === undefined ? LOST : answer;
}

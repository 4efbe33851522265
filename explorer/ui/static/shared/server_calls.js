// Calls to the server, and refusals that stand in for a missing answer.

const GONE = { stage: "unscored", title: "The film is no longer here", detail: "Films are kept for 30 minutes. Open it again." };
export const LOST = { stage: "unscored", title: "Tailscope does not answer", detail: "Check that it is still running, then open the film again." };
export const FAILED = { title: "The film could not be read", detail: "The terminal that Tailscope runs in says why. Open the film again." };

// Why the server no longer has the film of a token.
export const whyGone = async (server, token) => (await call(server.gone, token)) ?? GONE;

// Gradio answers undefined without a server; ours answers null without a film.
export async function call(question, argument) {
  const answer = await question(argument).catch(() => undefined);
  return answer === undefined ? LOST : answer;
}

// Sends a folder's files to the server: a few at a time, each under a random name until the server has it.

import { wholeText } from "../shared/figures.js";
import { refusalWords } from "../shared/refusal.js";
import { callServer } from "../shared/server_calls.js";

const AT_A_TIME = 3;

// `files`: {file, name}; `limit`: bytes per file. `isOver()`: whether nobody waits any more; `say(words)` receives
// what was not sent.
export async function sendFiles(files, { token, server, upload, limit, isOver, say }) {
  const waiting = [...files];
  const tooLarge = [];
  let failed = "";
  const hand = async () => {
    while (waiting.length && !failed && !isOver()) {
      const { file, name } = waiting.shift();
      if (file.size > limit) {
        tooLarge.push(name);
        continue;
      }
      try {
        const { path } = await upload(new File([file], crypto.randomUUID()));
        const answer = await callServer(server.folder_add, { token, path, name });
        if (answer.stage !== "taken") failed = refusalWords(answer);
      } catch (error) {
        failed = /\n/.test(error?.message ?? "") ? error.message.replace(/^HTTP \d+: /, "").replace("\n", ". ") : "A file could not be sent.";
      }
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, hand));
  if (failed && !isOver()) say(failed + " " + (waiting.length ? wholeText(waiting.length) + " files were not sent." : ""));
  if (tooLarge.length) say(tooLarge.length + (tooLarge.length === 1 ? " file is" : " files are") + " larger than " + limit / 2 ** 20 + " MB and not sent.");
  if (!isOver()) await callServer(server.folder_complete, token);
}

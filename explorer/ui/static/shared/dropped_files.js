// Many films at once: a dropped or chosen folder, a ZIP, or more files than are shown side by side.

const SIDE_BY_SIDE = 2;
const isZip = ({ name }) => /\.zip$/i.test(name);

// Whether these files go into a folder of films rather than the viewer.
export const belongInFolder = (files) => files.length > SIDE_BY_SIDE || files.some(isZip);

// For a drop that belongs in a folder: a promise of its files as {file, name}; else null. Call it while the event is
// handled: afterwards the browser no longer has the files.
export function droppedFolder(transfer, most = Infinity) {
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
  if (entries.some((entry) => entry.isDirectory)) return filesBelow(entries, most);
  const files = [...transfer.files];
  return belongInFolder(files) ? Promise.resolve(namedFiles(files)) : null;
}

// The name of a file includes its path in the chosen folder.
export const namedFiles = (files) => [...files].map((file) => ({ file, name: file.webkitRelativePath || file.name }));

async function filesBelow(entries, most) {
  const found = [];
  const waiting = [...entries];
  while (waiting.length && found.length < most) {
    const entry = waiting.shift();
    if (entry.isDirectory) waiting.push(...(await readAllEntries(entry.createReader())));
    else await new Promise((done) => entry.file((file) => done(found.push({ file, name: entry.fullPath.slice(1) })), done));
  }
  return found;
}

// A browser lists a hundred at a time.
async function readAllEntries(reader) {
  const all = [];
  for (;;) {
    const batch = await new Promise((done) => reader.readEntries(done, () => done([])));
    if (!batch.length) return all;
    all.push(...batch);
  }
}

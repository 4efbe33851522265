// Many films at once: what was dropped or chosen as a folder, a ZIP or more files than are shown side by side.

const SIDE_BY_SIDE = 2;
const isZip = ({ name }) => /\.zip$/i.test(name);

// Whether these files are for a folder of films rather than for the viewer.
export const areMany = (files) => files.length > SIDE_BY_SIDE || files.some(isZip);

// Of a drop that is for a folder: a promise of its files as {file, name}; null where it is not. To be called while the
// event is handled: afterwards the browser has forgotten what was dropped.
export function manyDropped(transfer, most = Infinity) {
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
  if (entries.some((entry) => entry.isDirectory)) return filesBelow(entries, most);
  const files = [...transfer.files];
  return areMany(files) ? Promise.resolve(named(files)) : null;
}

// A file that was chosen with its folder is named by its path there.
export const named = (files) => [...files].map((file) => ({ file, name: file.webkitRelativePath || file.name }));

async function filesBelow(entries, most) {
  const found = [];
  const waiting = [...entries];
  while (waiting.length && found.length < most) {
    const entry = waiting.shift();
    if (entry.isDirectory) waiting.push(...(await listing(entry.createReader())));
    else await new Promise((done) => entry.file((file) => done(found.push({ file, name: entry.fullPath.slice(1) })), done));
  }
  return found;
}

// A browser lists a hundred at a time.
async function listing(reader) {
  const all = [];
  for (;;) {
    const some = await new Promise((done) => reader.readEntries(done, () => done([])));
    if (!some.length) return all;
    all.push(...some);
  }
}

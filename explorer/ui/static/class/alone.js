// The learners' page in a file that holds the whole class: no server, no network.

import { ClassRoom } from "./room.js";
import { FileTransport } from "./transport_file.js";

const data = document.getElementById("class-data");
if (data) new ClassRoom(document.getElementById("class-page"), new FileTransport(JSON.parse(data.textContent))).begin();

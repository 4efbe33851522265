// The learners' page with a class server behind it.

import { ClassRoom } from "./room.js";
import { ServerTransport } from "./transport_server.js";

const page = document.getElementById("class-page");
if (page) new ClassRoom(page, new ServerTransport()).begin();

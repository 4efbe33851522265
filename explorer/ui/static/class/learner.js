// The learners' page with a class server behind it.

import { Room } from "./room.js";
import { ServerTransport } from "./transport_server.js";

const page = document.getElementById("class-page");
if (page) new Room(page, new ServerTransport()).begin();

/** All styles, in order: tones first, then the frame, then what stands in it. */
import "./tones.css";
import "./base.css";
import "./frame.css";
import "./parts.css";
import "./talk.css";
import "./live.css";
import "./pages.css";

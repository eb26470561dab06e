BEGIN TRANSACTION;
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "alembic_version" VALUES('0005');
CREATE TABLE blobs (
	kind TEXT NOT NULL, 
	"key" TEXT NOT NULL, 
	value BLOB NOT NULL, 
	expires BIGINT, 
	PRIMARY KEY (kind, "key")
);
INSERT INTO "blobs" VALUES('shortcut','local:news',X'7B226E616D65223A226E657773222C227461736B223A227265616420746865206E657773222C22706172616D6574657273223A7B7D2C22726563697065223A7B227461736B223A227265616420746865206E657773222C2274616273223A5B5D2C227374617274223A22222C22616374696F6E73223A5B7B22746F6F6C223A226E61766967617465222C2261726773223A7B2275726C223A2268747470733A2F2F6E6577732E6578616D706C652F227D2C22656C656D656E7473223A7B7D2C226368616E676564223A66616C73652C2274657874223A22227D5D7D2C226D656E646564223A302C2263726561746564223A22323032362D31312D31395430343A34313A35342E3533303436375A227D',NULL);
CREATE TABLE commands (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	run TEXT NOT NULL, 
	body TEXT NOT NULL, 
	FOREIGN KEY(run) REFERENCES runs (id) ON DELETE CASCADE
);
CREATE TABLE conversations (
	id TEXT NOT NULL, 
	user TEXT NOT NULL, 
	title TEXT NOT NULL, 
	created BIGINT NOT NULL, 
	updated BIGINT NOT NULL, 
	PRIMARY KEY (id)
);
INSERT INTO "conversations" VALUES('71a1eef80dcd21f1','local','How long does the ferry take?',1795063313075482,1795063313075487);
INSERT INTO "conversations" VALUES('4a37dd6850e4af0f','local','Paint the skiff',1795063314500702,1795063314500704);
CREATE TABLE events (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	run TEXT NOT NULL, 
	seq INTEGER NOT NULL, 
	"key" TEXT NOT NULL, 
	type TEXT NOT NULL, 
	at BIGINT NOT NULL, 
	body TEXT NOT NULL, 
	FOREIGN KEY(run) REFERENCES runs (id) ON DELETE CASCADE, 
	CONSTRAINT uq_events_run_seq UNIQUE (run, seq), 
	CONSTRAINT uq_events_run_key UNIQUE (run, "key")
);
INSERT INTO "events" VALUES(1,'ce735fb5c5ca1537',1,'start','run_started',1795063314333983,'{"run":"ce735fb5c5ca1537","seq":1,"key":"start","at":"2026-11-19T04:41:54.333983Z","type":"run_started","task":"How long does the ferry take?","loop":"test-echo","user":"local","conversation":"71a1eef80dcd21f1","options":{"tabs":[]},"parent":"","version":"0.1.0+cc6b60d3","max_steps":null}');
INSERT INTO "events" VALUES(2,'ce735fb5c5ca1537',2,'task','message_added',1795063314334089,'{"run":"ce735fb5c5ca1537","seq":2,"key":"task","at":"2026-11-19T04:41:54.334089Z","type":"message_added","message":{"role":"user","text":"How long does the ferry take?","images":[],"calls":[],"call":"","tool":"","origin":"person"},"sources":[]}');
INSERT INTO "events" VALUES(3,'ce735fb5c5ca1537',3,'20f8ef061c1e49eda232f5a7285f9732','state_changed',1795063314334137,'{"run":"ce735fb5c5ca1537","seq":3,"key":"20f8ef061c1e49eda232f5a7285f9732","at":"2026-11-19T04:41:54.334137Z","type":"state_changed","state":"running","why":""}');
INSERT INTO "events" VALUES(4,'ce735fb5c5ca1537',4,'1.asked','model_asked',1795063314354914,'{"run":"ce735fb5c5ca1537","seq":4,"key":"1.asked","at":"2026-11-19T04:41:54.354914Z","type":"model_asked","call":"ce735fb5c5ca1537:1","tier":"main","model":"scripted","purpose":"answer","tokens":12,"repeated":0}');
INSERT INTO "events" VALUES(5,'ce735fb5c5ca1537',5,'1.replied','model_replied',1795063314355188,'{"run":"ce735fb5c5ca1537","seq":5,"key":"1.replied","at":"2026-11-19T04:41:54.355188Z","type":"model_replied","call":"ce735fb5c5ca1537:1","tier":"main","model":"scripted","purpose":"answer","text":"It takes 40 minutes.","calls":[],"usage":{"input":8,"output":5,"cached":0,"cost":0.0,"priced":true,"estimated":true},"seconds":0.0002322360001016932,"first":0.00017021399980876595,"context":8,"window":32768}');
INSERT INTO "events" VALUES(6,'ce735fb5c5ca1537',6,'2','message_added',1795063314413355,'{"run":"ce735fb5c5ca1537","seq":6,"key":"2","at":"2026-11-19T04:41:54.413355Z","type":"message_added","message":{"role":"assistant","text":"It takes 40 minutes.","images":[],"calls":[],"call":"","tool":"","origin":"model"},"sources":[]}');
INSERT INTO "events" VALUES(7,'ce735fb5c5ca1537',7,'run_finished','run_finished',1795063314416760,'{"run":"ce735fb5c5ca1537","seq":7,"key":"run_finished","at":"2026-11-19T04:41:54.416760Z","type":"run_finished","outcome":"completed","text":"It takes 40 minutes.","error":"","fix":"","kind":"","usage":{"input":8,"output":5,"cached":0,"cost":0.0,"priced":true,"estimated":true},"seconds":0.08267517000012958,"steps":0,"data":null,"places":[]}');
INSERT INTO "events" VALUES(8,'e29129d66efb9266',1,'start','run_started',1795063314505261,'{"run":"e29129d66efb9266","seq":1,"key":"start","at":"2026-11-19T04:41:54.505261Z","type":"run_started","task":"Paint the skiff","loop":"test-question","user":"local","conversation":"4a37dd6850e4af0f","options":{"tabs":[]},"parent":"","version":"0.1.0+cc6b60d3","max_steps":null}');
INSERT INTO "events" VALUES(9,'e29129d66efb9266',2,'task','message_added',1795063314505301,'{"run":"e29129d66efb9266","seq":2,"key":"task","at":"2026-11-19T04:41:54.505301Z","type":"message_added","message":{"role":"user","text":"Paint the skiff","images":[],"calls":[],"call":"","tool":"","origin":"person"},"sources":[]}');
INSERT INTO "events" VALUES(10,'e29129d66efb9266',3,'1698a979467f4985914597b5a6bc7826','state_changed',1795063314505323,'{"run":"e29129d66efb9266","seq":3,"key":"1698a979467f4985914597b5a6bc7826","at":"2026-11-19T04:41:54.505323Z","type":"state_changed","state":"running","why":""}');
INSERT INTO "events" VALUES(11,'e29129d66efb9266',4,'1.asked','input_requested',1795063314506880,'{"run":"e29129d66efb9266","seq":4,"key":"1.asked","at":"2026-11-19T04:41:54.506880Z","type":"input_requested","request":"e29129d66efb9266:1","kind":"question","question":"Which colour?","choices":["red","blue"],"details":{},"deadline":"2026-11-19T04:51:54.506871Z"}');
INSERT INTO "events" VALUES(12,'e29129d66efb9266',5,'b32fa8690b07496cafa9c530eee86899','state_changed',1795063314507731,'{"run":"e29129d66efb9266","seq":5,"key":"b32fa8690b07496cafa9c530eee86899","at":"2026-11-19T04:41:54.507731Z","type":"state_changed","state":"awaiting_input","why":"Which colour?"}');
CREATE TABLE facts (
	id TEXT NOT NULL, 
	user TEXT NOT NULL, 
	revision BIGINT NOT NULL, 
	ended BIGINT, 
	body TEXT NOT NULL, 
	PRIMARY KEY (id)
);
INSERT INTO "facts" VALUES('f1','local',1,NULL,'{"id":"f1","user":"local","content":"Ann is allergic to nuts","category":"profile","tier":"important","confidence":0.8,"keywords":["nuts"],"sources":[],"created":"2026-11-19T04:41:54.507665Z","last_used":null,"use_count":0,"expires":null,"ended":null,"ending":null,"heir":"","owner":"Ann","attribute":"allergy","value":"nuts","hidden":[]}');
INSERT INTO "facts" VALUES('f2','local',1,1794960000000000,'{"id":"f2","user":"local","content":"Ann is allergic to bees","category":"profile","tier":"important","confidence":0.8,"keywords":["bees"],"sources":[],"created":"2026-11-19T04:41:54.507675Z","last_used":null,"use_count":0,"expires":null,"ended":"2026-11-18T00:00:00Z","ending":"replaced","heir":"f1","owner":"","attribute":"","value":"","hidden":[]}');
CREATE TABLE fires (
	schedule TEXT NOT NULL, 
	due BIGINT NOT NULL, 
	state TEXT NOT NULL, 
	run TEXT NOT NULL, 
	body TEXT NOT NULL, 
	PRIMARY KEY (schedule, due), 
	FOREIGN KEY(schedule) REFERENCES schedules (id) ON DELETE CASCADE
);
CREATE TABLE notices (
	id TEXT NOT NULL, 
	user TEXT NOT NULL, 
	state TEXT NOT NULL, 
	due BIGINT NOT NULL, 
	at BIGINT NOT NULL, 
	body TEXT NOT NULL, 
	PRIMARY KEY (id)
);
INSERT INTO "notices" VALUES('n1','local','sent',1795063314529403,1795063314529401,'{"id":"n1","user":"local","schedule":"s1","channel":"page","kind":"result","title":"Read","text":"Nothing new","run":"ce735fb5c5ca1537","link":"","state":"sent","tries":0,"error":"","at":"2026-11-19T04:41:54.529401Z","due":"2026-11-19T04:41:54.529403Z","read":false}');
CREATE TABLE runs (
	id TEXT NOT NULL, 
	user TEXT NOT NULL, 
	conversation TEXT NOT NULL, 
	task TEXT NOT NULL, 
	loop TEXT NOT NULL, 
	state TEXT NOT NULL, 
	answer TEXT NOT NULL, 
	options TEXT NOT NULL, 
	parent TEXT NOT NULL, 
	version TEXT NOT NULL, 
	worker TEXT NOT NULL, 
	usage TEXT NOT NULL, 
	outcome TEXT, 
	created BIGINT NOT NULL, 
	updated BIGINT NOT NULL, 
	last INTEGER NOT NULL, labels TEXT DEFAULT '' NOT NULL, 
	PRIMARY KEY (id), 
	FOREIGN KEY(conversation) REFERENCES conversations (id) ON DELETE CASCADE
);
INSERT INTO "runs" VALUES('ce735fb5c5ca1537','local','71a1eef80dcd21f1','How long does the ferry take?','test-echo','ended','It takes 40 minutes.','{"tabs": []}','','0.1.0+cc6b60d3','30973-81dba6','{"input":8,"output":5,"cached":0,"cost":0.0,"priced":true,"estimated":true}','completed',1795063313075482,1795063314416760,7,'');
INSERT INTO "runs" VALUES('e29129d66efb9266','local','4a37dd6850e4af0f','Paint the skiff','test-question','awaiting_input','','{"tabs": []}','','0.1.0+cc6b60d3','','{"input":0,"output":0,"cached":0,"cost":0.0,"priced":true,"estimated":false}',NULL,1795063314500702,1795063314507731,5,'');
CREATE TABLE schedules (
	id TEXT NOT NULL, 
	user TEXT NOT NULL, 
	due BIGINT, 
	paused INTEGER NOT NULL, 
	body TEXT NOT NULL, 
	PRIMARY KEY (id)
);
INSERT INTO "schedules" VALUES('s1','local',NULL,1,'{"task":"read the news","when":"0 * * * *","zone":"UTC","name":"","pages":[],"watch":null,"missed":"once","overlap":"skip","jitter":0.0,"budget_cents":null,"month_cents":null,"grants":[],"asks":false,"wait_hours":12.0,"notify":["page"],"tell":"always","options":{},"id":"s1","user":"local","created":"2026-11-19T04:41:54.527632Z","next":null,"paused":true,"paused_why":"","failures":0}');
CREATE TABLE settings (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	path TEXT NOT NULL, 
	value TEXT, 
	"by" TEXT NOT NULL, 
	at BIGINT NOT NULL
);
CREATE INDEX ix_conversations_user_updated ON conversations (user, updated);
CREATE INDEX ix_runs_user_created ON runs (user, created);
CREATE INDEX ix_runs_conversation_created ON runs (conversation, created);
CREATE INDEX ix_runs_state ON runs (state);
CREATE INDEX ix_commands_run_id ON commands (run, id);
CREATE INDEX ix_settings_path_id ON settings (path, id);
CREATE INDEX ix_blobs_expires ON blobs (expires);
CREATE INDEX ix_facts_user_revision ON facts (user, revision);
CREATE INDEX ix_events_type_id ON events (type, id);
CREATE INDEX ix_schedules_user ON schedules (user);
CREATE INDEX ix_schedules_due ON schedules (due);
CREATE INDEX ix_fires_state ON fires (state);
CREATE INDEX ix_notices_user_at ON notices (user, at);
CREATE INDEX ix_notices_state_due ON notices (state, due);
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('events',12);
COMMIT;

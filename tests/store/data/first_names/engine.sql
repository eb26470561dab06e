BEGIN TRANSACTION;
CREATE TABLE application_versions (
    version_id TEXT NOT NULL PRIMARY KEY,
    version_name TEXT NOT NULL UNIQUE,
    version_timestamp INTEGER NOT NULL DEFAULT (strftime('%s','now') * 1000),
    created_at INTEGER NOT NULL DEFAULT (strftime('%s','now') * 1000)
, "application_name" TEXT DEFAULT NULL);
INSERT INTO "application_versions" VALUES('2f491e11-315c-4a40-bb03-8565381abcd2','0.1.0+128771e0',1794835389000,1794835389000,'pilotfish');
CREATE TABLE dbos_migrations (version INTEGER NOT NULL PRIMARY KEY);
INSERT INTO "dbos_migrations" VALUES(123);
CREATE TABLE notifications (
    message_uuid TEXT NOT NULL DEFAULT (hex(randomblob(16))) PRIMARY KEY,
    destination_uuid TEXT NOT NULL,
    topic TEXT,
    message TEXT NOT NULL,
    created_at_epoch_ms INTEGER NOT NULL DEFAULT (strftime('%s','now') * 1000), "serialization" TEXT DEFAULT NULL, "consumed" BOOLEAN NOT NULL DEFAULT FALSE, consumed_by_function_id INTEGER,
    FOREIGN KEY (destination_uuid) REFERENCES workflow_status(workflow_uuid) 
        ON UPDATE CASCADE ON DELETE CASCADE
);
CREATE TABLE "operation_outputs" (
    workflow_uuid TEXT NOT NULL,
    function_id INTEGER NOT NULL,
    function_name TEXT NOT NULL DEFAULT '',
    output TEXT,
    error TEXT,
    child_workflow_id TEXT,
    started_at_epoch_ms INTEGER,
    completed_at_epoch_ms INTEGER,
    serialization TEXT,
    application_name TEXT DEFAULT NULL,
    retention_timestamp INTEGER NOT NULL DEFAULT (strftime('%s','now') * 1000),
    PRIMARY KEY (workflow_uuid, function_id)
);
INSERT INTO "operation_outputs" VALUES('59abd33e7f929f75',1,'observe','{"value":{"url":"http://127.0.0.1:33875/shop?world=p1&seed=0","title":"All goods · Fernhill","tab":1,"text":"All goods · Fernhill — http://127.0.0.1:33875/shop?world=p1&seed=0\n(screen 1 of 3)\nbanner:\n [1] link \"Fernhill\"\n navigation \"Main\":\n  [2] link \"Shop\" (current)\n  [3] link \"Forms\"\n  [4] link \"Booking\"\n  [5] link \"Staff\"\n  [6] link \"Lists\"\n  [7] link \"Widgets\"\n  [8] link \"App\"\n  [9] link \"Board\"\n  [10] link \"Mail\"\n  [11] link \"Forum\"\n  [12] link \"News\"\n  [13] link \"Town\"\n  [14] link \"Docs\"\n  [15] link \"Files\"\n [16] link \"Cart (0)\"\n [17] link \"Sign in\"\nmain:\n navigation \"Categories\":\n  [18] link \"All goods\"\n  [19] link \"Desk\"\n  [20] link \"Kitchen\"\n  [21] link \"Outdoors\"\n  [22] link \"Toys\"\n # All goods\n search:\n  [23] searchbox \"Search the shop\"\n  [24] button \"Search\"\n  [25] combobox \"Sort by\" = \"Featured\" options: Featured, Price: low to high, Price: high to low, Best rated, Name\n  [26] checkbox \"In stock only\" (unchecked)\n 18 products\n - [27] clickable \"heart\" | ### [28] link \"Tide kettle\" | A 1.2 litre enamel kettle with a whistle like a harbour horn. | €48.90 ★ 4.7 · 14 in stock\n - [29] clickable \"heart\" | ### [30] link \"Oat bowl\" | A deep stoneware bowl that keeps porridge warm. | €16.50 ★ 4.4 · 40 in stock\n - [31] clickable \"heart\" | ### [32] link \"Bread knife\" | A 24 cm serrated blade with a wooden handle. | €32.00 ★ 4.8 · 9 in stock\n - [33] clickable \"heart\" | ### [34] link \"Pepper mill\" | Grinds coarse or fine with a ceramic core. | €27.50 ★ 4.1 · Sold out\n - [35] clickable \"heart\" | ### [36] link \"Tea tin\" | An airtight tin for 100 grams of loose tea. | €12.90 ★ 4.3 · 60 in stock\n - [37] clickable \"heart\" | ### [38] link \"Storm lantern\" | Burns for 20 hours in any wind. | €56.00 ★ 4.9 · 7 in stock\n--- below the screen ---\n - [39] clickable \"heart\" | ### [40] link \"Wool blanket\" | A heavy blanket from island sheep. | €89.00 ★ 4.6 · 12 in stock\n - [41] clickable \"heart\" | ### [42] link \"Field flask\" | Keeps half a litre hot for 12 hours. | €29.50 ★ 4.5 · 33 in stock\n - [43] clickable \"heart\" | ### [44] link \"Trail pack\" | A 22 litre rucksack of waxed cotton. | €74.50 ★ 4.2 · 5 in stock\n - [45] clickable \"heart\" | ### [46] link \"Rope swing\" | An oak seat on three metres of hemp rope. | €39.90 ★ 4.0 · 18 in stock\n - [47] clickable \"heart\" | ### [48] link \"Ink pen\" | A light fountain pen with a fine nib. | €21.50 ★ 4.5 · 25 in stock\n - [49] clickable \"heart\" | ### [50] link \"Dot notebook\" | 160 dotted pages that lie flat. | €11.90 ★ 4.6 · 80 in stock\nbelow: 9 more elements; headings: Desk lamp; Letter tray; Paper clips; Wooden boat; Box kite; Marble run","tokens":800,"mark":"0dbc8e3267e38d28"}}',NULL,NULL,1794835390031,1794835397390,'portable_json','pilotfish',1794835397000);
INSERT INTO "operation_outputs" VALUES('59abd33e7f929f75',2,'ask decide','{"value":{"reply":{"text":"{\"reasoning\": \"open the kettle\", \"needs_action\": true, \"action\": \"click [28] link \\\"Tide kettle\\\"\"}","reasoning":"","calls":[],"usage":{"input":1155,"output":25,"cached":0,"cost":0.0,"priced":true,"estimated":true},"model":"scripted","cut":false},"value":{"reasoning":"open the kettle","needs_action":true,"action":"click [28] link \"Tide kettle\"","message":"","ask_user":""}}}',NULL,NULL,1794835397394,1794835397513,'portable_json','pilotfish',1794835397000);
INSERT INTO "operation_outputs" VALUES('59abd33e7f929f75',3,'act click','{"value":{"results":[{"ok":true,"output":"Clicked [28] link \"Tide kettle\".\nThe page is now \"Tide kettle · Fernhill\" at http://127.0.0.1:33875/shop/product/tide-kettle.\n\nTide kettle · Fernhill — http://127.0.0.1:33875/shop/product/tide-kettle\n(screen 1 of 2)\nbanner:\n [51] link \"Fernhill\"\n navigation \"Main\":\n  [52] link \"Shop\" (current)\n  [53] link \"Forms\"\n  [54] link \"Booking\"\n  [55] link \"Staff\"\n  [56] link \"Lists\"\n  [57] link \"Widgets\"\n  [58] link \"App\"\n  [59] link \"Board\"\n  [60] link \"Mail\"\n  [61] link \"Forum\"\n  [62] link \"News\"\n  [63] link \"Town\"\n  [64] link \"Docs\"\n  [65] link \"Files\"\n [66] link \"Cart (0)\"\n [67] link \"Sign in\"\nmain:\n [68] link \"Shop\"\n [69] link \"Kitchen\"\n › Tide kettle\n # Tide kettle\n A 1.2 litre enamel kettle with a whistle like a harbour horn.\n €48.90 ★ 4.7 · 14 in stock\n [70] combobox \"Colour\" = \"Slate\" options: Slate, Sand, Copper\n [71] spinbutton \"Quantity\" = \"1\" (number 1 to 99)\n [72] button \"Add to cart\"\n ## Details\n table:\n  - Capacity | 1.2 litres\n  - Weight | 940 g\n  - Material | Enamelled steel\n  - Works on | Gas, electric and induction\n  - Made in | Porto, Portugal\n  - Warranty | 5 years\n ## Reviews\n Boils in under four minutes on our old stove.\n Ida K., 5 of 5 stars\n The whistle is loud; my dog left the room.\n Tomas R., 4 of 5 stars\n Only people who bought this can write a review.\n--- below the screen ---\ncontentinfo:\n Fernhill is a made-up town to practise in. Nothing here is sold, sent or kept.\n [73] link \"Returns\"\n [74] link \"About us\"\n [75] link \"Help\"","error":"","text":"Clicked [28] link \"Tide kettle\"","data":{"url":"http://127.0.0.1:33875/shop/product/tide-kettle","title":"Tide kettle · Fernhill","tab":1,"changed":true,"aim":{"tab":1,"point":[437.859375,439.546875],"box":[387.0,430.0,102.0,20.0]},"met":{"28":{"role":"link","name":"Tide kettle","nth":0}}},"files":[],"usage":{"input":0,"output":0,"cached":0,"cost":0.0,"priced":true,"estimated":false},"seconds":0.9570306450000317,"unknown":false}]}}',NULL,NULL,1794835397514,1794835398630,'portable_json','pilotfish',1794835398000);
INSERT INTO "operation_outputs" VALUES('59abd33e7f929f75',4,'observe','{"value":{"url":"http://127.0.0.1:33875/shop/product/tide-kettle","title":"Tide kettle · Fernhill","tab":1,"text":"Tide kettle · Fernhill — http://127.0.0.1:33875/shop/product/tide-kettle\n(screen 1 of 2)\nbanner:\n [51] link \"Fernhill\"\n navigation \"Main\":\n  [52] link \"Shop\" (current)\n  [53] link \"Forms\"\n  [54] link \"Booking\"\n  [55] link \"Staff\"\n  [56] link \"Lists\"\n  [57] link \"Widgets\"\n  [58] link \"App\"\n  [59] link \"Board\"\n  [60] link \"Mail\"\n  [61] link \"Forum\"\n  [62] link \"News\"\n  [63] link \"Town\"\n  [64] link \"Docs\"\n  [65] link \"Files\"\n [66] link \"Cart (0)\"\n [67] link \"Sign in\"\nmain:\n [68] link \"Shop\"\n [69] link \"Kitchen\"\n › Tide kettle\n # Tide kettle\n A 1.2 litre enamel kettle with a whistle like a harbour horn.\n €48.90 ★ 4.7 · 14 in stock\n [70] combobox \"Colour\" = \"Slate\" options: Slate, Sand, Copper\n [71] spinbutton \"Quantity\" = \"1\" (number 1 to 99)\n [72] button \"Add to cart\"\n ## Details\n table:\n  - Capacity | 1.2 litres\n  - Weight | 940 g\n  - Material | Enamelled steel\n  - Works on | Gas, electric and induction\n  - Made in | Porto, Portugal\n  - Warranty | 5 years\n ## Reviews\n Boils in under four minutes on our old stove.\n Ida K., 5 of 5 stars\n The whistle is loud; my dog left the room.\n Tomas R., 4 of 5 stars\n Only people who bought this can write a review.\n--- below the screen ---\ncontentinfo:\n Fernhill is a made-up town to practise in. Nothing here is sold, sent or kept.\n [73] link \"Returns\"\n [74] link \"About us\"\n [75] link \"Help\"","tokens":417,"mark":"6a48d6c2b813165a"}}',NULL,NULL,1794835398639,1794835398659,'portable_json','pilotfish',1794835398000);
INSERT INTO "operation_outputs" VALUES('59abd33e7f929f75',5,'ask decide','{"value":{"reply":{"text":"{\"reasoning\": \"add it\", \"needs_action\": true, \"action\": \"click \\\"Add to cart\\\"\"}","reasoning":"","calls":[],"usage":{"input":884,"output":20,"cached":0,"cost":0.0,"priced":true,"estimated":true},"model":"scripted","cut":false},"value":{"reasoning":"add it","needs_action":true,"action":"click \"Add to cart\"","message":"","ask_user":""}}}',NULL,NULL,1794835398663,1794835398677,'portable_json','pilotfish',1794835398000);
INSERT INTO "operation_outputs" VALUES('59abd33e7f929f75',6,'act click','{"value":{"results":[{"ok":true,"output":"Clicked [72] button \"Add to cart\".\nThe page is now \"Your cart · Fernhill\" at http://127.0.0.1:33875/shop/cart.\n\nYour cart · Fernhill — http://127.0.0.1:33875/shop/cart\n(screen 1 of 1)\nbanner:\n [76] link \"Fernhill\"\n navigation \"Main\":\n  [77] link \"Shop\" (current)\n  [78] link \"Forms\"\n  [79] link \"Booking\"\n  [80] link \"Staff\"\n  [81] link \"Lists\"\n  [82] link \"Widgets\"\n  [83] link \"App\"\n  [84] link \"Board\"\n  [85] link \"Mail\"\n  [86] link \"Forum\"\n  [87] link \"News\"\n  [88] link \"Town\"\n  [89] link \"Docs\"\n  [90] link \"Files\"\n [91] link \"Cart (1)\"\n [92] link \"Sign in\"\nstatus:\n Added to cart: 1 × Tide kettle.\nmain:\n # Your cart\n table:\n  - Product | Colour | Price | Quantity | Sum\n  - [93] link \"Tide kettle\" | Slate | €48.90 | [94] spinbutton \"Quantity of Tide kettle\" = \"1\" (number 0 to 99) | [95] button \"Update\" | €48.90 | [96] button \"Remove Tide kettle\"\n  - Goods | €48.90\n  - Total without delivery | €48.90\n [97] textbox \"Coupon code\"\n [98] button \"Apply\"\n [99] link \"Go to checkout\"\n [100] link \"Keep shopping\"\ncontentinfo:\n Fernhill is a made-up town to practise in. Nothing here is sold, sent or kept.\n [101] link \"Returns\"\n [102] link \"About us\"\n [103] link \"Help\"","error":"","text":"Clicked [72] button \"Add to cart\"","data":{"url":"http://127.0.0.1:33875/shop/cart","title":"Your cart · Fernhill","tab":1,"changed":true,"aim":{"tab":1,"point":[721.4453125,497.6015625],"box":[654.0,475.0,135.0,45.0]},"met":{"72":{"role":"button","name":"Add to cart","nth":0}}},"files":[],"usage":{"input":0,"output":0,"cached":0,"cost":0.0,"priced":true,"estimated":false},"seconds":0.35456077200001346,"unknown":false}]}}',NULL,NULL,1794835398679,1794835399055,'portable_json','pilotfish',1794835399000);
INSERT INTO "operation_outputs" VALUES('59abd33e7f929f75',7,'observe','{"value":{"url":"http://127.0.0.1:33875/shop/cart","title":"Your cart · Fernhill","tab":1,"text":"Your cart · Fernhill — http://127.0.0.1:33875/shop/cart\n(screen 1 of 1)\nbanner:\n [76] link \"Fernhill\"\n navigation \"Main\":\n  [77] link \"Shop\" (current)\n  [78] link \"Forms\"\n  [79] link \"Booking\"\n  [80] link \"Staff\"\n  [81] link \"Lists\"\n  [82] link \"Widgets\"\n  [83] link \"App\"\n  [84] link \"Board\"\n  [85] link \"Mail\"\n  [86] link \"Forum\"\n  [87] link \"News\"\n  [88] link \"Town\"\n  [89] link \"Docs\"\n  [90] link \"Files\"\n [91] link \"Cart (1)\"\n [92] link \"Sign in\"\nstatus:\n Added to cart: 1 × Tide kettle.\nmain:\n # Your cart\n table:\n  - Product | Colour | Price | Quantity | Sum\n  - [93] link \"Tide kettle\" | Slate | €48.90 | [94] spinbutton \"Quantity of Tide kettle\" = \"1\" (number 0 to 99) | [95] button \"Update\" | €48.90 | [96] button \"Remove Tide kettle\"\n  - Goods | €48.90\n  - Total without delivery | €48.90\n [97] textbox \"Coupon code\"\n [98] button \"Apply\"\n [99] link \"Go to checkout\"\n [100] link \"Keep shopping\"\ncontentinfo:\n Fernhill is a made-up town to practise in. Nothing here is sold, sent or kept.\n [101] link \"Returns\"\n [102] link \"About us\"\n [103] link \"Help\"","tokens":342,"mark":"6f25eb1bd9f3f6f2"}}',NULL,NULL,1794835399057,1794835399060,'portable_json','pilotfish',1794835399000);
INSERT INTO "operation_outputs" VALUES('59abd33e7f929f75',8,'ask decide','{"value":{"reply":{"text":"{\"reasoning\": \"done\", \"needs_action\": false, \"message\": \"The kettle is in the cart.\"}","reasoning":"","calls":[],"usage":{"input":819,"output":22,"cached":0,"cost":0.0,"priced":true,"estimated":true},"model":"scripted","cut":false},"value":{"reasoning":"done","needs_action":false,"action":"","message":"The kettle is in the cart.","ask_user":""}}}',NULL,NULL,1794835399062,1794835399067,'portable_json','pilotfish',1794835399000);
INSERT INTO "operation_outputs" VALUES('59abd33e7f929f75',9,'observe','{"value":{"url":"http://127.0.0.1:33875/shop/cart","title":"Your cart · Fernhill","tab":1,"text":"Your cart · Fernhill — http://127.0.0.1:33875/shop/cart\n(screen 1 of 1)\nbanner:\n [76] link \"Fernhill\"\n navigation \"Main\":\n  [77] link \"Shop\" (current)\n  [78] link \"Forms\"\n  [79] link \"Booking\"\n  [80] link \"Staff\"\n  [81] link \"Lists\"\n  [82] link \"Widgets\"\n  [83] link \"App\"\n  [84] link \"Board\"\n  [85] link \"Mail\"\n  [86] link \"Forum\"\n  [87] link \"News\"\n  [88] link \"Town\"\n  [89] link \"Docs\"\n  [90] link \"Files\"\n [91] link \"Cart (1)\"\n [92] link \"Sign in\"\nstatus:\n Added to cart: 1 × Tide kettle.\nmain:\n # Your cart\n table:\n  - Product | Colour | Price | Quantity | Sum\n  - [93] link \"Tide kettle\" | Slate | €48.90 | [94] spinbutton \"Quantity of Tide kettle\" = \"1\" (number 0 to 99) | [95] button \"Update\" | €48.90 | [96] button \"Remove Tide kettle\"\n  - Goods | €48.90\n  - Total without delivery | €48.90\n [97] textbox \"Coupon code\"\n [98] button \"Apply\"\n [99] link \"Go to checkout\"\n [100] link \"Keep shopping\"\ncontentinfo:\n Fernhill is a made-up town to practise in. Nothing here is sold, sent or kept.\n [101] link \"Returns\"\n [102] link \"About us\"\n [103] link \"Help\"","tokens":342,"mark":"6f25eb1bd9f3f6f2"}}',NULL,NULL,1794835399069,1794835399185,'portable_json','pilotfish',1794835399000);
INSERT INTO "operation_outputs" VALUES('59abd33e7f929f75',10,'ask decide','{"value":{"reply":{"text":"{\"reasoning\": \"the page shows it\", \"needs_action\": false, \"message\": \"The kettle is in the cart.\"}","reasoning":"","calls":[],"usage":{"input":839,"output":25,"cached":0,"cost":0.0,"priced":true,"estimated":true},"model":"scripted","cut":false},"value":{"reasoning":"the page shows it","needs_action":false,"action":"","message":"The kettle is in the cart.","ask_user":""}}}',NULL,NULL,1794835399192,1794835399200,'portable_json','pilotfish',1794835399000);
INSERT INTO "operation_outputs" VALUES('7fda95c035cef958',1,'observe','{"value":{"url":"http://127.0.0.1:33875/shop/cart","title":"Your cart · Fernhill","tab":1,"text":"Your cart · Fernhill — http://127.0.0.1:33875/shop/cart\n(screen 1 of 1)\nbanner:\n [76] link \"Fernhill\"\n navigation \"Main\":\n  [77] link \"Shop\" (current)\n  [78] link \"Forms\"\n  [79] link \"Booking\"\n  [80] link \"Staff\"\n  [81] link \"Lists\"\n  [82] link \"Widgets\"\n  [83] link \"App\"\n  [84] link \"Board\"\n  [85] link \"Mail\"\n  [86] link \"Forum\"\n  [87] link \"News\"\n  [88] link \"Town\"\n  [89] link \"Docs\"\n  [90] link \"Files\"\n [91] link \"Cart (1)\"\n [92] link \"Sign in\"\nstatus:\n Added to cart: 1 × Tide kettle.\nmain:\n # Your cart\n table:\n  - Product | Colour | Price | Quantity | Sum\n  - [93] link \"Tide kettle\" | Slate | €48.90 | [94] spinbutton \"Quantity of Tide kettle\" = \"1\" (number 0 to 99) | [95] button \"Update\" | €48.90 | [96] button \"Remove Tide kettle\"\n  - Goods | €48.90\n  - Total without delivery | €48.90\n [97] textbox \"Coupon code\"\n [98] button \"Apply\"\n [99] link \"Go to checkout\"\n [100] link \"Keep shopping\"\ncontentinfo:\n Fernhill is a made-up town to practise in. Nothing here is sold, sent or kept.\n [101] link \"Returns\"\n [102] link \"About us\"\n [103] link \"Help\"","tokens":342,"mark":"6f25eb1bd9f3f6f2"}}',NULL,NULL,1794835401217,1794835401347,'portable_json','pilotfish',1794835401000);
INSERT INTO "operation_outputs" VALUES('7fda95c035cef958',2,'ask decide','{"value":{"reply":{"text":"{\"reasoning\": \"which?\", \"needs_action\": false, \"ask_user\": \"Which one: Search or Cart?\"}","reasoning":"","calls":[],"usage":{"input":1674,"output":26,"cached":0,"cost":0.0,"priced":true,"estimated":true},"model":"scripted","cut":false},"value":{"reasoning":"which?","needs_action":false,"action":"","message":"","ask_user":"Which one: Search or Cart?"}}}',NULL,NULL,1794835401358,1794835401798,'portable_json','pilotfish',1794835401000);
CREATE TABLE queues (
    queue_id TEXT PRIMARY KEY DEFAULT (hex(randomblob(16))),
    name TEXT NOT NULL UNIQUE,
    concurrency INTEGER,
    worker_concurrency INTEGER,
    rate_limit_max INTEGER,
    rate_limit_period_sec REAL,
    priority_enabled BOOLEAN NOT NULL DEFAULT FALSE,
    partition_queue BOOLEAN NOT NULL DEFAULT FALSE,
    polling_interval_sec REAL NOT NULL DEFAULT 1.0,
    created_at INTEGER NOT NULL DEFAULT (strftime('%s','now') * 1000),
    updated_at INTEGER NOT NULL DEFAULT (strftime('%s','now') * 1000)
, "application_name" TEXT DEFAULT NULL, "partition_concurrency" INTEGER DEFAULT NULL, "partition_worker_concurrency" INTEGER DEFAULT NULL, "partition_rate_limit_max" INTEGER DEFAULT NULL, "partition_rate_limit_period_sec" REAL DEFAULT NULL);
CREATE TABLE streams (
    workflow_uuid TEXT NOT NULL,
    key TEXT NOT NULL,
    value TEXT NOT NULL,
    "offset" INTEGER NOT NULL, function_id INTEGER NOT NULL DEFAULT 0, "serialization" TEXT DEFAULT NULL,
    PRIMARY KEY (workflow_uuid, key, "offset"),
    FOREIGN KEY (workflow_uuid) REFERENCES workflow_status(workflow_uuid) 
        ON UPDATE CASCADE ON DELETE CASCADE
);
CREATE TABLE workflow_events (
    workflow_uuid TEXT NOT NULL,
    key TEXT NOT NULL,
    value TEXT NOT NULL, "serialization" TEXT DEFAULT NULL,
    PRIMARY KEY (workflow_uuid, key),
    FOREIGN KEY (workflow_uuid) REFERENCES workflow_status(workflow_uuid) 
        ON UPDATE CASCADE ON DELETE CASCADE
);
CREATE TABLE workflow_events_history (
    workflow_uuid TEXT NOT NULL,
    function_id INTEGER NOT NULL,
    key TEXT NOT NULL,
    value TEXT NOT NULL, "serialization" TEXT DEFAULT NULL,
    PRIMARY KEY (workflow_uuid, function_id, key),
    FOREIGN KEY (workflow_uuid) REFERENCES workflow_status(workflow_uuid)
        ON UPDATE CASCADE ON DELETE CASCADE
);
CREATE TABLE workflow_input (
    workflow_uuid TEXT NOT NULL PRIMARY KEY,
    inputs TEXT,
    retention_timestamp INTEGER NOT NULL DEFAULT (strftime('%s','now') * 1000)
);
INSERT INTO "workflow_input" VALUES('59abd33e7f929f75','{"namedArgs":{},"positionalArgs":["59abd33e7f929f75"]}',1794835390000);
INSERT INTO "workflow_input" VALUES('7fda95c035cef958','{"namedArgs":{},"positionalArgs":["7fda95c035cef958"]}',1794835401000);
CREATE TABLE workflow_output (
    workflow_uuid TEXT NOT NULL PRIMARY KEY,
    output TEXT,
    error TEXT,
    retention_timestamp INTEGER NOT NULL DEFAULT (strftime('%s','now') * 1000)
);
INSERT INTO "workflow_output" VALUES('59abd33e7f929f75','"completed"',NULL,1794835399000);
CREATE TABLE workflow_schedules (
    schedule_id TEXT PRIMARY KEY,
    schedule_name TEXT NOT NULL UNIQUE,
    workflow_name TEXT NOT NULL,
    workflow_class_name TEXT,
    schedule TEXT NOT NULL,
    status TEXT NOT NULL DEFAULT 'ACTIVE',
    context TEXT NOT NULL
, "last_fired_at" TEXT DEFAULT NULL, "automatic_backfill" BOOLEAN NOT NULL DEFAULT FALSE, "cron_timezone" TEXT DEFAULT NULL, "queue_name" TEXT DEFAULT NULL, "application_name" TEXT DEFAULT NULL);
CREATE TABLE workflow_status (
    workflow_uuid TEXT PRIMARY KEY,
    status TEXT,
    name TEXT,
    authenticated_user TEXT,
    assumed_role TEXT,
    authenticated_roles TEXT,
    request TEXT,
    output TEXT,
    error TEXT,
    executor_id TEXT,
    created_at INTEGER NOT NULL DEFAULT (strftime('%s','now') * 1000),
    updated_at INTEGER NOT NULL DEFAULT (strftime('%s','now') * 1000),
    application_version TEXT,
    application_id TEXT,
    class_name TEXT DEFAULT NULL,
    config_name TEXT DEFAULT NULL,
    recovery_attempts INTEGER DEFAULT 0,
    queue_name TEXT,
    workflow_timeout_ms INTEGER,
    workflow_deadline_epoch_ms INTEGER,
    inputs TEXT,
    started_at_epoch_ms INTEGER,
    deduplication_id TEXT,
    priority INTEGER NOT NULL DEFAULT 0
, queue_partition_key TEXT, forked_from TEXT, "owner_xid" TEXT DEFAULT NULL, "parent_workflow_id" TEXT DEFAULT NULL, "serialization" TEXT DEFAULT NULL, "delay_until_epoch_ms" BIGINT DEFAULT NULL, "was_forked_from" BOOLEAN NOT NULL DEFAULT FALSE, "rate_limited" BOOLEAN NOT NULL DEFAULT FALSE, "completed_at" BIGINT, "attributes" TEXT, "schedule_name" TEXT, "debounce_deadline_epoch_ms" BIGINT DEFAULT NULL, "is_debounced" BOOLEAN NOT NULL DEFAULT FALSE, "application_name" TEXT DEFAULT NULL, "creator_xid" TEXT DEFAULT NULL);
INSERT INTO "workflow_status" VALUES('59abd33e7f929f75','SUCCESS','run',NULL,NULL,NULL,NULL,NULL,NULL,'31156-2a99bb',1794835390000,1794835399000,'0.1.0+128771e0','',NULL,NULL,1,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,NULL,'portable_json',NULL,0,0,1794835399000,'null',NULL,NULL,0,'pilotfish','794cf7d9-d10d-468e-a5f6-accb5bb841a5');
INSERT INTO "workflow_status" VALUES('7fda95c035cef958','PENDING','run',NULL,NULL,NULL,NULL,NULL,NULL,'31156-2a99bb',1794835401000,1794835401000,'0.1.0+128771e0','',NULL,NULL,1,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,'22cdcd69-018d-4b41-87d1-de4ef7d644bc',NULL,'portable_json',NULL,0,0,NULL,'null',NULL,NULL,0,'pilotfish','22cdcd69-018d-4b41-87d1-de4ef7d644bc');
CREATE INDEX workflow_status_created_at_index ON workflow_status (created_at);
CREATE INDEX idx_workflow_topic ON notifications (destination_uuid, topic);
CREATE INDEX "idx_workflow_status_delayed" ON "workflow_status" ("delay_until_epoch_ms") WHERE status = 'DELAYED';
CREATE INDEX "idx_workflow_status_forked_from" ON "workflow_status" ("forked_from") WHERE "forked_from" IS NOT NULL;
CREATE INDEX "idx_workflow_status_parent_workflow_id" ON "workflow_status" ("parent_workflow_id") WHERE "parent_workflow_id" IS NOT NULL;
CREATE UNIQUE INDEX "uq_workflow_status_dedup_id" ON "workflow_status" ("queue_name", "deduplication_id") WHERE "deduplication_id" IS NOT NULL;
CREATE INDEX "idx_workflow_status_pending" ON "workflow_status" ("created_at") WHERE "status" = 'PENDING';
CREATE INDEX "idx_workflow_status_failed" ON "workflow_status" ("status", "created_at") WHERE "status" IN ('ERROR', 'CANCELLED', 'MAX_RECOVERY_ATTEMPTS_EXCEEDED');
CREATE INDEX "idx_workflow_status_rate_limited" ON "workflow_status" ("queue_name", "started_at_epoch_ms") WHERE "rate_limited" = TRUE;
CREATE INDEX "idx_workflow_status_completed_at" ON "workflow_status" ("completed_at") WHERE "completed_at" IS NOT NULL;
CREATE INDEX "idx_workflow_status_started_at" ON "workflow_status" ("started_at_epoch_ms") WHERE "started_at_epoch_ms" IS NOT NULL;
CREATE INDEX "idx_workflow_status_schedule_name" ON "workflow_status" ("schedule_name") WHERE "schedule_name" IS NOT NULL;
CREATE UNIQUE INDEX "uq_application_versions_owner_version"
    ON application_versions ("application_name", "version_name")
    WHERE "application_name" IS NOT NULL;
CREATE UNIQUE INDEX "uq_application_versions_unclaimed_version"
    ON application_versions ("version_name")
    WHERE "application_name" IS NULL;
CREATE INDEX idx_workflow_input_retention
    ON workflow_input (retention_timestamp);
CREATE INDEX idx_workflow_output_retention
    ON workflow_output (retention_timestamp);
CREATE INDEX idx_operation_outputs_retention
    ON operation_outputs (retention_timestamp);
CREATE INDEX "idx_workflow_status_in_flight_v2" ON "workflow_status" ("queue_name", "status", "priority", "created_at", "application_name") WHERE "status" IN ('ENQUEUED', 'PENDING');
CREATE INDEX "idx_workflow_status_partition_dequeue_v3" ON "workflow_status" ("queue_name", "status", "queue_partition_key", "priority", "created_at", "workflow_uuid", "application_name") WHERE "status" IN ('ENQUEUED', 'PENDING') AND "queue_partition_key" IS NOT NULL;
CREATE INDEX "idx_operation_outputs_completed_at_function_name_v2" ON "operation_outputs" ("completed_at_epoch_ms", "function_name", "application_name");
CREATE INDEX "idx_workflow_status_deadline" ON "workflow_status" ("workflow_deadline_epoch_ms") WHERE "status" IN ('ENQUEUED', 'PENDING', 'DELAYED') AND "workflow_deadline_epoch_ms" IS NOT NULL;
COMMIT;

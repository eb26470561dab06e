/** The words that only the side panel has. */
import { computed } from "@preact/signals";
import { language } from "../../ui/src/state/session";

const en = {
  ask: "Ask about this page",
  work: "Work in this tab",
  askHint: "It reads this page when you send. It touches nothing.",
  workHint: "It may click and type in this tab. You are asked before anything takes effect.",
  none: "This page cannot be read: Chrome keeps its own pages to itself.",
  pairHead: "Connect to your Pilotfish",
  pairText: "Start Pilotfish on this machine, run “pilotfish extension”, and type the code that it shows.",
  server: "Address",
  code: "Code",
  connect: "Connect",
  fresh: "New conversation",
  past: "Conversations",
  gone: "Pilotfish does not answer. Start it with “pilotfish”; this panel connects again by itself.",
  yours: "You are in control; the agent is paused. “Resume” lets it go on.",
  older: (ours: string, theirs: string) => `This extension is ${ours}, Pilotfish is ${theirs}. Run “pilotfish extension” again and reload it.`,
};

const zh: typeof en = {
  ask: "询问此页面",
  work: "在此标签页中操作",
  askHint: "发送时读取此页面，不做任何操作。",
  workHint: "可在此标签页中点击和输入；产生影响之前会先询问你。",
  none: "无法读取此页面：Chrome 不允许访问自身页面。",
  pairHead: "连接到你的 Pilotfish",
  pairText: "在本机启动 Pilotfish，运行“pilotfish extension”，并输入显示的代码。",
  server: "地址",
  code: "代码",
  connect: "连接",
  fresh: "新对话",
  past: "对话",
  gone: "Pilotfish 没有响应。请用“pilotfish”启动；此面板会自动重新连接。",
  yours: "由你操作；代理已暂停。点击“继续”让它接着做。",
  older: (ours: string, theirs: string) => `此扩展版本为 ${ours}，Pilotfish 为 ${theirs}。请再次运行“pilotfish extension”并重新加载。`,
};

export const panelWords = computed(() => (language.value === "zh" ? zh : en));

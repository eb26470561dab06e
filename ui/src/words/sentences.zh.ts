/** 服务器用英文句子讲的事，这里按代码用中文讲。 */
import type { DoneAction } from "../compute/doneActions";
import { type Effect, effectsOf } from "../compute/effects";

type Details = Record<string, unknown>;

const quote = (about: string) => (about ? `“${about}”` : "");

export const doneActions: Record<string, (doneAction: DoneAction) => string> = {
  click: ({ about }) => `点击${quote(about)}`,
  type: ({ about, using }) => `在${quote(about)}中输入${quote(using) || "内容"}`,
  select: ({ about, using }) => `在${quote(about)}中选择${quote(using)}`,
  press_key: ({ using }) => `按下 ${using}`,
  hover: ({ about }) => `指向${quote(about)}`,
  drag: ({ about, using }) => `把${quote(about)}拖到${quote(using)}`,
  mark: ({ using }) => `选中${quote(using)}`,
  upload: ({ about, using }) => `把文件 ${using} 交给${quote(about)}`,
  scroll: () => "滚动页面",
  navigate: ({ about, using }) =>
    using === "back" ? "后退一页" : using === "forward" ? "前进一页" : using === "reload" ? "重新加载页面" : `打开${quote(about)}`,
  manage_tabs: ({ about, using }) =>
    using === "open" ? `打开新标签页${quote(about)}` : using === "close" ? "关闭标签页" : using === "list" ? "查看标签页" : `切换到${quote(about)}`,
  wait_for: () => "等待页面",
  get_schema: () => "查看页面上的元素",
  get_html: () => "读取页面源码",
  get_text: () => "阅读页面",
  collect: () => "读取了整个列表",
  collect_part: () => "读取了列表的一部分",
  find_lists: () => "查找页面上的列表",
  page_tool: () => "使用了页面的工具",
  console_messages: () => "查看控制台消息",
  network_requests: () => "查看页面的请求",
  resize: () => "改变页面大小",
  emulate_media: () => "改变页面的显示方式",
  close_browser: () => "关闭浏览器",
  find: ({ using }) => `在页面上查找${quote(using)}`,
  extract: () => "从页面取出数据",
  screenshot: () => "截图",
  refresh: () => "重新读取页面",
  planner: () => "制定计划",
  done: () => "完成了任务",
  web_search: ({ using }) => `搜索${quote(using)}`,
  web_fetch: () => "阅读网页",
  request_input: () => "得到了你的回答",
  get_current_time: () => "查看时间",
  memory_save: () => "记住一件事",
  memory_retrieve: ({ using }) => `在记忆中查找${quote(using)}`,
  recall_details: () => "取回先前的结果",
  image_generate: () => "制作图片",
  todo: () => "更新清单",
};

/** 一个动作会造成什么。 */
export const effects: Record<string, string> = {
  read: "阅读",
  view: "改变显示的内容",
  visit: "打开页面",
  search: "搜索",
  local: "改变可以撤销的内容",
  submit: "提交表单",
  use: "使用可能改变内容的工具",
  send: "发送消息",
  publish: "发布内容",
  buy: "购买或付款",
  delete: "删除内容",
  account: "更改账户或其安全设置",
  upload: "上传文件",
  download: "下载程序",
  personal: "提供个人信息",
  secret: "使用密码或验证码",
  carry: "把一处读到的内容带到另一处",
  leave: "离开任务所在的网站",
  remember: "记住你没有说过的事",
  forbidden: "做不允许的事",
};

const describeEffect = ({ effect, site, receiver }: Effect): string =>
  `${effects[effect]}${receiver && receiver !== site && effect !== "leave" ? `（由 ${receiver} 接收）` : ""}`;

/** 一个动作的全部影响；有一个没有中文说法时为空。 */
export const effectList = (asked: Effect[]): string =>
  asked.every(({ effect }) => effects[effect]) ? [...new Set(asked.map(describeEffect))].join("、") : "";

export const notes: Record<string, (details: Details, text: string, loop: (name: string) => string) => string> = {
  loop: (details, _, loop) => `选择了“${loop(String(details["loop"]))}”方式`,
  policy: (details) => `没有做：这会${effectList(effectsOf(details)) || "造成影响"}，未获许可`,
  recovery: () => "中断之后继续进行",
  timeout: () => "没有等到回答",
  cache: () => "以前问过，页面没有变化：同样的回答",
  blocked: (details) => `拦下了对 ${details["host"]} 的请求`,
  secret: (details) => `在 ${details["origin"]} 输入了机密 ${details["name"]}`,
};

/** 出错的种类：运行结束时的种类，和服务器拒绝时的代码。 */
export const failureTitles: Record<string, string> = {
  out_of_budget: "预算用完了。",
  failed: "没有完成。",
  ModelError: "模型无法使用。",
  RequestTooLong: "内容太长，模型装不下。",
  BrowserError: "浏览器无法使用。",
  StoreError: "数据库无法使用。",
  SettingsError: "有一项设置不对。",
  NotFoundError: "要找的东西不在这里。",
  UnclearTimeError: "时间说得不清楚。",
  PersonError: "需要你来处理。",
  not_found: "要找的东西不在这里。",
  bad_setting: "这个设置值不对。",
  unclear_time: "时间说得不清楚。",
  model: "模型无法使用。",
  store: "数据库无法使用。",
  browser: "浏览器无法使用。",
  page: "页面不允许这样做。",
  bad_request: "不能这样做。",
  invalid: "填写的内容不对。",
  internal: "服务器内部出错了。",
};

export const outcomes: Record<string, string> = { allow: "不询问就会做", ask: "会先询问你", deny: "会被拒绝" };

/** 提出许可的问题，说出全部影响；有一个没有中文说法时为空。 */
export const permission = (asked: Effect[]): string => {
  const sites = [...new Set(asked.map(({ site }) => site).filter(Boolean))].join("、");
  const would = effectList(asked);
  return would ? `可以${sites ? `在 ${sites} ` : ""}这样做吗？这会${would}。` : "";
};

export const spent = (of: string, cents: string, limit: string): string =>
  of ? `${of === "day" ? "今天" : "这次运行"}已花费 ${cents}，上限是 ${limit}。继续吗？` : "";

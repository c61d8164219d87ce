/** Refusals of the chat: the numbers of the vendor's SDK, with what the operator reads. */
export const imCodes = {
  NOT_READY: [2999, '连接未就绪，请稍候'],
  DISABLED: [2024, '账号已停用，不能发言'],
  NOT_MEMBER: [10007, '您不是该会话成员，不能发言'],
  NOT_ALLOWED: [10007, '没有权限进行该操作'],
  DISSOLVED: [10010, '会话不存在或已解散'],
  MUTED: [10017, '您已被限制发言'],
  POLICY: [10017, '问诊已结束，如需继续咨询请重新购买服务'],
  BLACKLISTED: [20007, '对方已拒收您的消息'],
  TOO_LONG: [80002, '消息过长，请分段发送'],
  SENSITIVE: [80001, '消息含敏感内容，请修改后发送'],
  TOO_OFTEN: [2996, '发送过于频繁，请稍后再试'],
  MALFORMED: [2105, '消息格式不正确'],
  OFFLINE: [2800, '网络异常，消息将在恢复后发送'],
  NO_ANSWER: [2801, '网络异常，消息将在恢复后发送'],
  BROKEN: [2805, '网络异常，消息将在恢复后发送'],
  SIG_REFUSED: [70001, '登录已过期，请重新登录'],
  REPLACED: [2025, '已在其他设备登录'],
  RECALL_TOO_LATE: [20016, '已超过2分钟，不能撤回'],
  STALE: [2480, '该消息已更新，请刷新'],
  CONFLICT: [2100, '消息编号已用于其他内容，请重新发送'],
  STORE_FAILED: [2100, '消息未能保存，请重试'],
  RECALL_FAILED: [2110, '撤回失败，请重试'],
  IMAGE_TYPE: [2252, '不支持的文件类型'],
  FILE_TYPE: [2403, '不支持的文件类型'],
  FILE_SIZE: [2402, '文件过大，图片不超过20MB、文件不超过100MB'],
  UPLOAD_FAILED: [2400, '文件上传失败，请重试'],
  FILE_UNUSABLE: [2401, '文件不可用或已失效，请重新上传'],
  NOT_FOUND: [2490, '记录不存在或已删除'],
  UNSUPPORTED: [2904, '当前模式不支持该操作'],
} as const satisfies Record<string, readonly [number, string]>;
export type ImCodeName = keyof typeof imCodes;

/** What every promise of the client rejects with. */
export class ImError extends Error {
  readonly code: number;
  readonly data: unknown;

  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.name = 'ImError';
    this.code = code;
    this.data = data;
  }
}

/** `throw imError('TOO_LONG')`; `message` replaces the text where the rule has its own. */
export const imError = (name: ImCodeName, extra: { message?: string; data?: unknown } = {}): ImError =>
  new ImError(imCodes[name][0], extra.message ?? imCodes[name][1], extra.data);

import { stateMachine } from '#kernel/contract/stateMachine.ts';

/** The clinical side of one consultation; its states travel as `serverStatus`. */
export const inquiryMachine = stateMachine(
  'consultation.inquiry',
  {
    '0': { label: '待支付', tone: 'warning' },
    '1': { label: '待接诊', tone: 'warning' },
    '2': { label: '问诊中', tone: 'processing' },
    '3': { label: '待确认结束', tone: 'warning' },
    '4': { label: '已结束' },
    '5': { label: '已取消' },
    '6': { label: '已退诊', tone: 'error' },
    '7': { label: '超时关闭', tone: 'error' },
  },
  {
    open: { label: '支付成功', from: ['0'], to: '1', permission: 'system', opinion: 'none' },
    openFollowUp: { label: '支付成功', from: ['0'], to: '2', permission: 'system', opinion: 'none' },
    payClosed: { label: '订单关闭', from: ['0'], to: '5', permission: 'system', opinion: 'none' },
    cancel: { label: '取消问诊', from: ['0', '1'], to: '5', permission: 'consultation.inquiry.close', opinion: 'required', danger: true },
    cancelByPatient: { label: '患者取消', from: ['0', '1', '2'], to: '5', permission: 'system', opinion: 'optional' },
    accept: { label: '代接诊', from: ['1'], to: '2', permission: 'consultation.inquiry.accept', opinion: 'none' },
    refuse: { label: '退诊', from: ['1', '2'], to: '6', permission: 'consultation.inquiry.close', opinion: 'required', danger: true },
    acceptTimeout: { label: '超时未接诊', from: ['1'], to: '7', permission: 'system', opinion: 'none' },
    replyTimeout: { label: '超时未回复', from: ['2', '3'], to: '7', permission: 'system', opinion: 'none' },
    requestEnd: { label: '申请结束', from: ['2'], to: '3', permission: 'consultation.chat.send', opinion: 'none' },
    roundsUsed: { label: '轮次用完', from: ['2'], to: '3', permission: 'system', opinion: 'none' },
    continue: { label: '继续问诊', from: ['3'], to: '2', permission: 'system', opinion: 'none' },
    confirmEnd: { label: '确认结束', from: ['3'], to: '4', permission: 'system', opinion: 'none' },
    end: { label: '结束问诊', from: ['2', '3'], to: '4', permission: 'consultation.inquiry.status', opinion: 'none', danger: true },
    autoEnd: { label: '到期结束', from: ['2', '3'], to: '4', permission: 'system', opinion: 'none' },
    refunded: { label: '已退款', from: ['1', '2', '3'], to: '6', permission: 'system', opinion: 'none' },
    extend: { label: '延长/加赠', from: ['2', '3'], to: '2', permission: 'consultation.inquiry.extend', opinion: 'required' },
    reopen: { label: '恢复问诊', from: ['4'], to: '2', permission: 'consultation.inquiry.supervise', opinion: 'required' },
  },
);
export type ServerStatus = keyof typeof inquiryMachine.states & string;

/** Where a group stands in the assistants' queue. */
export const workMachine = stateMachine(
  'consultation.medicalGroup',
  {
    QUEUED: { label: '待接入', tone: 'warning' },
    SERVING: { label: '接待中', tone: 'processing' },
    SNOOZED: { label: '稍后处理' },
    DONE: { label: '已处理', tone: 'success' },
  },
  {
    wakeToOwner: { label: '患者来信', from: ['DONE', 'SNOOZED'], to: 'SERVING', permission: 'system', opinion: 'none' },
    wakeToQueue: { label: '患者来信', from: ['DONE', 'SNOOZED'], to: 'QUEUED', permission: 'system', opinion: 'none' },
    assign: { label: '自动分配', from: ['QUEUED'], to: 'SERVING', permission: 'system', opinion: 'none' },
    take: { label: '接入', from: ['QUEUED'], to: 'SERVING', permission: 'consultation.chat.send', opinion: 'none' },
    transfer: { label: '转接', from: ['SERVING', 'SNOOZED'], to: 'SERVING', permission: 'consultation.chat.send', opinion: 'required' },
    takeover: {
      label: '接管',
      from: ['QUEUED', 'SERVING', 'SNOOZED', 'DONE'],
      to: 'SERVING',
      permission: 'consultation.chat.supervise',
      opinion: 'required',
    },
    release: { label: '退回队列', from: ['SERVING'], to: 'QUEUED', permission: 'consultation.chat.send', opinion: 'required' },
    snooze: { label: '稍后处理', from: ['SERVING'], to: 'SNOOZED', permission: 'consultation.chat.send', opinion: 'none' },
    done: { label: '标记已处理', from: ['SERVING', 'SNOOZED'], to: 'DONE', permission: 'consultation.chat.send', opinion: 'optional' },
    offDuty: { label: '责任医助离岗', from: ['SERVING'], to: 'QUEUED', permission: 'system', opinion: 'none' },
  },
);
export type WorkState = keyof typeof workMachine.states & string;

export const visitRecordMachine = stateMachine(
  'consultation.visitRecord',
  {
    DRAFT: { label: '待完善' },
    WAIT_DOCTOR: { label: '待医生确认', tone: 'warning' },
    CONFIRMED: { label: '已确认', tone: 'success' },
    ARCHIVED: { label: '已归档' },
    SUPERSEDED: { label: '已更正' },
  },
  {
    modify: { label: '编辑', from: ['DRAFT'], permission: 'consultation.visit.edit', opinion: 'none' },
    submit: { label: '提交医生确认', from: ['DRAFT'], to: 'WAIT_DOCTOR', permission: 'consultation.visit.edit', opinion: 'none' },
    confirm: { label: '确认', from: ['WAIT_DOCTOR'], to: 'CONFIRMED', permission: 'system', opinion: 'none' },
    back: { label: '退回', from: ['WAIT_DOCTOR'], to: 'DRAFT', permission: 'system', opinion: 'required' },
    archive: { label: '归档', from: ['CONFIRMED'], to: 'ARCHIVED', permission: 'consultation.visit.archive', opinion: 'none' },
    correct: { label: '更正', from: ['CONFIRMED', 'ARCHIVED'], permission: 'consultation.visit.edit', opinion: 'required' },
    supersede: { label: '被更正', from: ['CONFIRMED', 'ARCHIVED'], to: 'SUPERSEDED', permission: 'system', opinion: 'none' },
  },
);
export type VisitRecordState = keyof typeof visitRecordMachine.states & string;

export const videoRoomMachine = stateMachine(
  'consultation.videoRoom',
  {
    CALLING: { label: '呼叫中', tone: 'processing' },
    IN_CALL: { label: '通话中', tone: 'success' },
    ENDED: { label: '已结束' },
    MISSED: { label: '未接听', tone: 'warning' },
    REJECTED: { label: '已拒绝', tone: 'error' },
    CANCELLED: { label: '已取消' },
    FAILED: { label: '异常中断', tone: 'error' },
  },
  {
    answer: { label: '接听', from: ['CALLING'], to: 'IN_CALL', permission: 'system', opinion: 'none' },
    end: { label: '挂断', from: ['IN_CALL'], to: 'ENDED', permission: 'system', opinion: 'none' },
    miss: { label: '无人接听', from: ['CALLING'], to: 'MISSED', permission: 'system', opinion: 'none' },
    reject: { label: '拒绝', from: ['CALLING'], to: 'REJECTED', permission: 'system', opinion: 'none' },
    cancel: { label: '取消呼叫', from: ['CALLING'], to: 'CANCELLED', permission: 'system', opinion: 'none' },
    fail: { label: '异常中断', from: ['CALLING', 'IN_CALL'], to: 'FAILED', permission: 'system', opinion: 'none' },
  },
);
export type VideoRoomState = keyof typeof videoRoomMachine.states & string;

export const ticketMachine = stateMachine(
  'consultation.participantTicket',
  {
    ACTIVE: { label: '有效', tone: 'success' },
    LOCKED: { label: '已锁定', tone: 'error' },
    REVOKED: { label: '已作废' },
    EXPIRED: { label: '已过期' },
  },
  {
    lock: { label: '锁定', from: ['ACTIVE'], to: 'LOCKED', permission: 'system', opinion: 'none' },
    revoke: {
      label: '作废',
      from: ['ACTIVE', 'LOCKED'],
      to: 'REVOKED',
      permission: 'consultation.ticket.issue',
      opinion: 'none',
      danger: true,
    },
    expire: { label: '过期', from: ['ACTIVE'], to: 'EXPIRED', permission: 'system', opinion: 'none' },
  },
);
export type TicketState = keyof typeof ticketMachine.states & string;

export const consultationMachines = [inquiryMachine, workMachine, visitRecordMachine, videoRoomMachine, ticketMachine] as const;

import type { Instant } from '#kernel/contract/time.ts';
import type { Tx } from '#kernel/server/context.ts';
import { renderPdf } from '#kernel/server/documents/pdf.ts';
import { userRoles } from '../../contract/dictionaries.ts';
import type { VisitMessage } from '../../contract/calls/visits.ts';
import type { InquiryRow } from '../inquiries/rows.ts';
import { messagesOf, stretchOf } from './messages.ts';
import { minute } from './pdf.ts';

const PAGE = 100;
/** More than any inquiry has; a print of more would serve nobody. */
const MOST = 5_000;

/** All messages of an inquiry; internal notes are none and never appear. */
async function allMessages(tx: Tx, inquiry: InquiryRow): Promise<VisitMessage[]> {
  const stretch = await stretchOf(tx, inquiry);
  if (!stretch) return [];
  const all: VisitMessage[] = [];
  while (all.length < MOST) {
    const { messages, isCompleted } = await messagesOf(tx, stretch, { afterSeq: all.at(-1)?.seq, pageSize: PAGE });
    all.push(...messages);
    if (isCompleted) break;
  }
  return all;
}

const shown = (message: VisitMessage): string =>
  message.isRevoked
    ? '（消息已撤回）'
    : `${message.text}${message.second === null ? '' : ` ${message.second}秒`}${message.auto ? '（自动）' : ''}`;

/** The conversation of one inquiry on A4; who printed it and when stands over every page. */
export async function transcriptPdf(tx: Tx, inquiry: InquiryRow, by: { name: string; at: Instant }): Promise<Buffer> {
  const messages = await allMessages(tx, inquiry);
  return renderPdf({
    title: `聊天记录${inquiry.inquiryNo}`,
    watermark: `${by.name} ${minute(by.at)}`,
    footer: `康桥互联网诊疗　${inquiry.inquiryNo}　含个人医疗信息，请妥善保管`,
    blocks: [
      { kind: 'title', text: '问诊聊天记录', note: `${inquiry.inquiryNo}　打印：${by.name}　${minute(by.at)}` },
      {
        kind: 'fields',
        fields: [
          ['患者', inquiry.patientName],
          ['医生', inquiry.doctorName],
          ['服务', inquiry.itemName],
          ['消息数', `${messages.length}条`],
        ],
      },
      { kind: 'heading', text: '聊天记录' },
      messages.length === 0
        ? { kind: 'text', text: '没有聊天记录' }
        : {
            kind: 'table',
            columns: [
              { label: '时间', width: 1.6 },
              { label: '发送人', width: 1.8 },
              { label: '内容', width: 6 },
            ],
            rows: messages.map((message) => [
              minute(message.at),
              `${message.nick}${message.role === null ? '' : `\n${userRoles.label(message.role)}`}`,
              shown(message),
            ]),
          },
    ],
  });
}

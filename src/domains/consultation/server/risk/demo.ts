import type { DemoContext } from '#kernel/server/module.ts';
import { ownTx } from '../database.ts';

const BLOCK = [
  '加微信',
  '加我微信',
  '私下转账',
  '扫码付款',
  '代开发票',
  '代开处方',
  '买卖药品',
  '返现',
  '刷单',
  '医托',
  '高价回收药品',
  '办理假证',
];
const FLAG = ['投诉', '举报', '退费', '骗子', '律师函', '媒体曝光', '12315', '医疗事故', '死亡', '太差了', '不负责任', '误诊', '骚扰'];

/** 25 words: what nobody may write, and what supervisors want to see. */
export async function writeRiskWords({ now, transaction }: DemoContext): Promise<void> {
  const rows = [...BLOCK.map((word) => ({ word, level: 'BLOCK' as const })), ...FLAG.map((word) => ({ word, level: 'FLAG' as const }))];
  await transaction(({ tx }) =>
    ownTx(tx)
      .insertInto('consultationRiskWord')
      .values(rows.map((row) => ({ ...row, createdAt: now })))
      .onConflict((conflict) => conflict.column('word').doNothing())
      .execute(),
  );
}

import { dayOf, hours, plusMs } from '#kernel/contract/time.ts';
import { yuan } from '#kernel/contract/money.ts';
import { nextNumber } from '#kernel/server/command/numbers.ts';
import { renderPdf } from '#kernel/server/documents/pdf.ts';
import { attach } from '#domains/files/server/index.ts';
import { INCOME_ADJUST } from '../../contract/purposes.ts';
import { adjustMachine } from '../../contract/states.ts';
import { adjustRecords } from '../access.ts';
import { own } from '../database.ts';
import { adjustStep, insertAdjusted } from '../income/adjusts.ts';
import { settleBooks } from '../income/write.ts';
import { daysAgo, type Stage, type Step } from './stage.ts';

type Action = keyof typeof adjustMachine.transitions;
type Status = keyof typeof adjustMachine.states;
interface Story {
  grossFen: number;
  reason: string;
  status: Status;
  ago: number;
}
const STORIES: readonly Story[] = [
  { grossFen: 12_000, reason: '补发九月漏计的两笔电话咨询收入', status: 'APPROVED', ago: 12 },
  { grossFen: -3_500, reason: '重复登记的随访收入，按核对结果扣回', status: 'APPROVED', ago: 10 },
  { grossFen: 1_200_000, reason: '专家义诊活动补贴，按活动协议一次性发放', status: 'PENDING_SECOND', ago: 4 },
  { grossFen: 8_000, reason: '节假日值班补贴，按医生运营部通知发放', status: 'PENDING', ago: 2 },
  { grossFen: 6_500, reason: '平台故障导致咨询中断，补偿医生服务费', status: 'PENDING', ago: 1 },
  { grossFen: 30_000, reason: '学术会议讲课费，待补充会议通知', status: 'REJECTED', ago: 8 },
  { grossFen: 2_000, reason: '补发图文咨询差额，金额填写有误', status: 'CANCELLED', ago: 6 },
];

const paper = ({ reason, grossFen }: Story): Buffer =>
  renderPdf({
    title: '人工调整依据',
    watermark: '演示资料 仅供体验',
    footer: '演示资料',
    blocks: [
      { kind: 'title', text: '人工调整依据', note: '演示资料' },
      { kind: 'fields', fields: [['金额', `${yuan(grossFen, true)}元`]] },
      { kind: 'text', text: reason },
    ],
  });

function stepsTo({ status, grossFen }: Story, at: string): Step<Action>[] {
  const judged = { at: plusMs(at, hours(5)), by: 'fin_r' } as const;
  const isLarge = Math.abs(grossFen) >= 1_000_000;
  if (status === 'APPROVED') return [{ action: 'approve', ...judged, opinion: '与依据一致' }];
  if (status === 'PENDING_SECOND' && isLarge) return [{ action: 'approveFirst', ...judged, opinion: '与活动协议一致' }];
  if (status === 'REJECTED') return [{ action: 'reject', ...judged, opinion: '请补充会议通知后重新提交' }];
  if (status === 'CANCELLED') return [{ action: 'cancel', at: plusMs(at, hours(1)), by: 'fin_a' }];
  return [];
}

/** Adjustments by hand in each of their states; what was agreed stands in the books. */
export async function writeAdjusts(stage: Stage): Promise<void> {
  const { tx, staff, kernel } = stage;
  const payer = await own(tx).selectFrom('settlementPayer').select('id').orderBy('id').executeTakeFirstOrThrow();
  const doctors = await own(tx).selectFrom('settlementDoctor').select('doctorId').orderBy('doctorId').limit(STORIES.length).execute();
  for (const [n, { doctorId }] of doctors.entries()) {
    const story = STORIES[n]!;
    const at = daysAgo(stage, story.ago);
    const file = await kernel.ports.files.store(
      tx,
      { purpose: INCOME_ADJUST, name: '人工调整依据.pdf', body: paper(story), contentType: 'application/pdf', createdBy: staff.fin_a.id },
      at,
    );
    const steps = stepsTo(story, at);
    const isJudged = steps.some(({ by }) => by === 'fin_r');
    const adjust = await own(tx)
      .insertInto('settlementAdjust')
      .values({
        adjustNo: await nextNumber(tx, 'IA', dayOf(at)),
        doctorId,
        payerEntityId: payer.id,
        grossFen: String(story.grossFen),
        reason: story.reason,
        fileIds: [file.fileId],
        status: story.status === 'APPROVED' ? 'PENDING' : story.status,
        makerId: staff.fin_a.id,
        makerName: staff.fin_a.name,
        ...(isJudged && { checkerId: staff.fin_r.id, checkerName: staff.fin_r.name, opinion: steps[0]!.opinion ?? null }),
        version: steps.length + 1,
        createdAt: at,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    await attach(
      tx,
      {
        fileIds: [file.fileId],
        purpose: INCOME_ADJUST,
        ownerType: adjustRecords.type,
        ownerId: adjust.id,
        field: 'paper',
        userId: staff.fin_a.id,
      },
      at,
    );
    stage.trail(adjustMachine, { type: adjustRecords.type, id: adjust.id }, steps);
    if (story.status !== 'APPROVED') continue;
    const acting = stage.at(steps[0]!.at, 'fin_r');
    const income = await insertAdjusted(acting, adjust);
    await own(tx).updateTable('settlementAdjust').set({ status: 'APPROVED', incomeId: income.id }).where('id', '=', adjust.id).execute();
    await settleBooks(acting, stage.ledger, [{ income, step: adjustStep(adjust) }], staff.fin_r);
  }
}

import { sql } from 'kysely';
import { checkCharacter } from '#kernel/contract/idNumber.ts';
import { dayOf, plusDays, startOfDay, type Day } from '#kernel/contract/time.ts';
import { asSystem, type Acting } from '#kernel/server/command/acting.ts';
import type { Writing } from '#kernel/server/context.ts';
import type { DemoContext } from '#kernel/server/kernel.ts';
import { renderPdf } from '#kernel/server/documents/pdf.ts';
import { attach } from '#domains/files/server/index.ts';
import { markTypes, type MarkType } from '../../contract/markStates.ts';
import { MARK_EVIDENCE } from '../../contract/purposes.ts';
import { markRecords } from '../marks/access.ts';
import { decideMark, expireMark, type MarkDecision } from '../marks/decide.ts';
import { numberColumns } from '../marks/person.ts';
import { openMark } from '../marks/write.ts';

interface MarkSpec {
  name: string;
  /** Of the certificate; null: the person is known by his mobile alone. */
  born: Day | null;
  mobile: string | null;
  markType: MarkType;
  /** Days from today. */
  from: number;
  to: number;
  reason: string;
  ends: 'PENDING' | 'EFFECTIVE' | 'REJECTED' | 'REVOKED' | 'EXPIRED';
  hits?: number;
}
const spec = (
  name: string,
  born: Day | null,
  mobile: string | null,
  markType: MarkType,
  days: readonly [number, number],
  reason: string,
  ends: MarkSpec['ends'],
  hits = 0,
): MarkSpec => ({ name, born, mobile, markType, from: days[0], to: days[1], reason, ends, hits });

const MARKS: readonly MarkSpec[] = [
  spec('周美华', '1962-03-18', '13800020001', 'SKIP_REVIEW', [-60, 300], '集团健康管理会员，资料已由合作医院核验', 'EFFECTIVE', 2),
  spec('陈国强', '1955-11-02', null, 'FORCE_RECHECK', [-40, 320], '既往两次提交的化验单日期不一致', 'EFFECTIVE', 1),
  spec('孙丽', '1978-07-25', '13800020003', 'BLOCK', [-90, 270], '提交伪造的慢特病认定，已书面告知', 'EFFECTIVE', 3),
  spec('吴建平', '1949-09-09', null, 'WAIVE_FEE', [-20, 344], '低保家庭，按公益项目免收服务费', 'EFFECTIVE', 1),
  spec('测试用户甲', null, '13800020005', 'TEST', [-100, 260], '上线演练使用，不计入统计', 'EFFECTIVE', 6),
  spec('郑秀英', '1958-01-30', '13800020006', 'SKIP_REVIEW', [1, 365], '体检中心已完成分级评估', 'PENDING'),
  spec('黄志明', '1971-05-11', null, 'FORCE_RECHECK', [0, 180], '代办人与多名申请人重复，须复核', 'PENDING'),
  spec('林婷', '1985-12-20', '13800020008', 'BLOCK', [0, 364], '冒用他人身份证申请', 'PENDING'),
  spec('阿卜杜热依木·买买提吐尔逊', '1960-05-05', '13800020016', 'FORCE_RECHECK', [0, 364], '证件与保单姓名写法不一致', 'PENDING'),
  spec('何伟', '1966-08-08', '13800020009', 'WAIVE_FEE', [0, 364], '烈士家属，按公益项目申请', 'PENDING'),
  spec('测试用户乙', null, '13800020010', 'TEST', [0, 90], '新流程联调', 'PENDING'),
  spec('马晓东', '1980-02-14', null, 'SKIP_REVIEW', [-10, 350], '员工介绍，希望优先办理', 'REJECTED'),
  spec('罗淑芬', '1953-06-06', '13800020012', 'WAIVE_FEE', [-15, 349], '口头申请减免', 'REJECTED'),
  spec('谢军', '1974-10-10', null, 'FORCE_RECHECK', [-200, 160], '材料来源存疑', 'REVOKED', 2),
  spec('韩梅', '1969-04-22', '13800020014', 'SKIP_REVIEW', [-300, -5], '合作体检中心名单', 'EXPIRED', 4),
  spec('测试用户丙', null, '13800020015', 'TEST', [-120, -30], '旧版流程演练', 'EXPIRED', 5),
];

const OPINIONS: Readonly<Record<MarkDecision, string>> = {
  approve: '依据齐全，同意',
  reject: '缺少书面依据，请补充后重新提交',
  revoke: '已核实材料来源，不再需要',
};

const idNoOf = (born: Day, n: number): string => {
  const digits = `310104${born.replaceAll('-', '')}${String(301 + n * 2)}`;
  return `${digits}${checkCharacter(digits)}`;
};
const paperOf = (one: MarkSpec): Buffer =>
  renderPdf({
    title: '标记依据',
    watermark: '演示资料 仅供体验',
    footer: '演示资料',
    blocks: [
      { kind: 'title', text: `${one.name}${markTypes.label(one.markType)}依据`, note: '演示资料' },
      { kind: 'text', text: one.reason },
    ],
  });

/** Marks of each type, in each state. */
export async function writeMarkDemo({ kernel, now }: DemoContext, writing: Writing): Promise<void> {
  const { tx } = writing;
  const { rows } = await sql<{ userName: string; userId: string; displayName: string }>`
    select user_name, id::text as user_id, display_name from identity_staff_user where user_name in ('enrol_s', 'enrol_r')`.execute(tx);
  const maker = rows.find(({ userName }) => userName === 'enrol_s');
  const checker = rows.find(({ userName }) => userName === 'enrol_r');
  if (!maker || !checker) throw new Error('the demonstration has no accounts that make and pass marks');
  const today = dayOf(now);
  const nothing = (): Promise<void> => Promise.resolve();
  /** Somebody acts on a day; what it would tell others is history. */
  const on = (day: Day, by: string | null): Acting => {
    const then = startOfDay(day, '10:30');
    const at = then < now ? then : now;
    const acting = asSystem({ ...writing, publish: nothing, publishMany: nothing, enqueue: nothing }, { now: at, traceId: 'demo' });
    return { ...acting, ...(by !== null && { actorName: by }) };
  };
  for (const [n, one] of MARKS.entries()) {
    const startDate = plusDays(today, one.from);
    const made = on(plusDays(today, Math.min(one.from - 2, -1)), maker.displayName);
    const file = {
      purpose: MARK_EVIDENCE,
      name: '标记依据.pdf',
      body: paperOf(one),
      contentType: 'application/pdf',
      createdBy: maker.userId,
    };
    const paper = one.markType === 'BLOCK' || one.markType === 'WAIVE_FEE' ? await kernel.ports.files.store(tx, file, made.now) : null;
    const row = await openMark(
      made,
      {
        name: one.name,
        markType: one.markType,
        productIds: [],
        startDate,
        endDate: plusDays(today, one.to),
        reason: one.reason,
        evidenceFileIds: paper ? [paper.fileId] : [],
        ...numberColumns(kernel.secrets, { mobile: one.mobile, idNo: one.born === null ? null : idNoOf(one.born, n) }),
      },
      null,
      maker,
    );
    if (paper)
      await attach(
        tx,
        {
          fileIds: [paper.fileId],
          purpose: MARK_EVIDENCE,
          ownerType: markRecords.type,
          ownerId: row.id,
          field: 'evidence',
          userId: maker.userId,
        },
        made.now,
      );
    const locked = () => markRecords.lock(tx, markRecords.everyone, row.id);
    const decide = async (day: Day, action: MarkDecision) =>
      decideMark(on(day, checker.displayName), await locked(), action, OPINIONS[action], checker);
    if (one.ends === 'REJECTED') await decide(today, 'reject');
    if (one.ends === 'EFFECTIVE' || one.ends === 'REVOKED' || one.ends === 'EXPIRED') await decide(plusDays(startDate, -1), 'approve');
    if (one.ends === 'REVOKED') await decide(plusDays(today, -3), 'revoke');
    if (one.ends === 'EXPIRED') await expireMark(on(plusDays(today, one.to + 1), null), await locked());
    if (one.hits) await sql`update enrolment_special_user set hits = ${one.hits} where id = ${row.id}`.execute(tx);
  }
}

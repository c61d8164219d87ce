import { dayOf, hours, plusMs } from '#kernel/contract/time.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import { asSystem } from '#kernel/server/command/acting.ts';
import { nextNumber } from '#kernel/server/command/numbers.ts';
import type { DemoContext } from '#kernel/server/module.ts';
import { applyMachine, type ApplyState } from '../../contract/states.ts';
import { json, ownTx } from '../database.ts';
import { factsOf } from '../hospitals/facts.ts';
import { findCandidates } from '../hospitals/candidates.ts';
import { comparable, type ApplyPayload } from '../applies/submit.ts';
import { requirePlace } from '../regions.ts';
import { demoCities } from './names.ts';
import type { DemoHospital } from './hospitals.ts';

const wanted = ['湖滨国际医院', '第一人民医院', '康宁医院', '仁和医院', '华东医院', '协同医院'] as const;
const people = [
  ['DOCTOR', '陈立'],
  ['DOCTOR', '王敏'],
  ['AGENT', '李强'],
  ['AGENT', '赵芳'],
  ['STAFF', '客服一'],
] as const;
const states = ['PENDING', 'PENDING', 'PENDING', 'APPROVED', 'REJECTED', 'LINKED', 'WITHDRAWN'] as const;

const AUDITOR = '运营审核';
type ApplyAction = keyof typeof applyMachine.transitions & string;
const DECISIONS: Readonly<Partial<Record<ApplyState, ApplyAction>>> = { APPROVED: 'approve', LINKED: 'link', REJECTED: 'reject' };

/** Thirty requests over all types and states; doctors wait for a new hospital. */
export async function writeApplications({ kernel, transaction, now }: DemoContext, hospitals: readonly DemoHospital[]): Promise<void> {
  await transaction(async (writing) => {
    const { tx } = writing;
    const own = ownTx(tx);
    for (let index = 0; index < 30; index += 1) {
      const city = demoCities[index % demoCities.length]!;
      const create = index % 5 < 3;
      const applyType = create ? 'CREATE' : index % 5 === 3 ? 'MODIFY' : index % 2 === 0 ? 'LEVEL' : 'DISABLE';
      const target = hospitals[(index * 11) % hospitals.length]!;
      const stored = await own.selectFrom('institutionHospital').selectAll().where('id', '=', target.id).executeTakeFirstOrThrow();
      const name = create ? `${city.short}${wanted[index % wanted.length]}` : stored.name;
      const adcode = create ? city.districts[0]! : stored.adcode;
      const payload: ApplyPayload = create
        ? {
            name,
            level: index % 2 === 0 ? 'L2A' : 'L3N',
            kind: 'GENERAL',
            ownership: 'PRIVATE',
            adcode,
            address: `湖滨路${index + 1}号`,
            phone: '',
            lngE6: Math.round(city.lng * 1e6) + 1_500,
            latE6: Math.round(city.lat * 1e6),
          }
        : applyType === 'MODIFY'
          ? { phone: '400-8001234', address: `${stored.address}（新门诊楼）` }
          : applyType === 'LEVEL'
            ? { level: 'L3A' }
            : {};
      // Somebody took the last one and let it lie.
      const state = index === 28 ? 'REVIEWING' : states[index % states.length]!;
      const found = create ? await findCandidates(tx, comparable(payload, await requirePlace(tx, adcode))) : [];
      const [applicantType, applicantName] = people[index % people.length]!;
      const at = plusMs(now, -hours(3 + index * 5));
      const verdict = DECISIONS[state] ?? null;
      const decided = verdict !== null;
      const taken = decided || state === 'REVIEWING';
      const applyNo = await nextNumber(tx, 'YA', dayOf(at));
      const { id } = await own
        .insertInto('institutionHospitalApply')
        .values({
          applyNo,
          applyType,
          hospitalId: create ? null : stored.id,
          payload: json(payload),
          before: create ? null : json(factsOf(stored)),
          name,
          level: payload.level ?? stored.level,
          adcode,
          applicantType,
          applicantId: `demo-${index}`,
          applicantName,
          applicantMobileCipher: kernel.secrets.encrypt(`138${String(10_000_000 + index * 137)}`),
          candidates: json(found.map(({ hospitalId, score, why }) => ({ hospitalId, score, why }))),
          topScore: found[0]?.score ?? 0,
          reason: applyType === 'DISABLE' ? '医院已迁址并更名' : create ? '医生执业医院不在名录中' : '官网信息已更新',
          state,
          ...(taken ? { auditorName: AUDITOR } : {}),
          ...(decided ? { auditedAt: plusMs(at, hours(2)), opinion: state === 'REJECTED' ? '证明材料不清晰' : '核对无误' } : {}),
          resultHospitalId: state === 'APPROVED' || state === 'LINKED' ? stored.id : null,
          createdAt: at,
          updatedAt: at,
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      const act = (by: string, after: number, action: ApplyAction, from: ApplyState, opinion?: string) =>
        moveState({ ...asSystem(writing, { now: plusMs(at, hours(after)), traceId: 'demo' }), actorName: by }, applyMachine, {
          targetType: 'institution.hospitalApply',
          targetId: id,
          targetNo: applyNo,
          action,
          from,
          opinion,
        });
      await act(applicantName, 0, 'submit', 'PENDING');
      if (taken) await act(AUDITOR, 1, 'claim', 'PENDING');
      if (state === 'WITHDRAWN') await act(applicantName, 1, 'withdraw', 'PENDING');
      if (verdict) await act(AUDITOR, 2, verdict, 'REVIEWING', state === 'REJECTED' ? '证明材料不清晰' : '核对无误');
    }
  });
}

import { sql } from 'kysely';
import { plusDays, type Day } from '#kernel/contract/time.ts';
import type { DemoContext } from '#kernel/server/kernel.ts';
import { materialTypes } from '#domains/insurance/contract/businessLines.ts';
import type { OtherMaterialFacts } from '../../contract/materialFacts.ts';
import {
  followUpResults,
  otherMaterialKinds,
  requiredPapers,
  type OtherMaterialKind,
  type OtherMaterialState,
} from '../../contract/materialStates.ts';
import { OTHER_MATERIAL_PAPER } from '../../contract/purposes.ts';
import { paused, stopped } from '../applies/clock.ts';
import { contractRecords, type ContractRecord } from '../contracts/access.ts';
import { own } from '../database.ts';
import { advance } from '../materials/decide.ts';
import { carryOut } from '../materials/effects.ts';
import { enterMaterial } from '../materials/enter.ts';
import { openFacts } from '../materials/facts.ts';
import { attachPapers } from '../materials/files.ts';
import { otherMaterialRecords, ownerOf, type OtherMaterialRecord } from '../materials/records.ts';
import { enrolReview } from '../review.ts';
import { storePaper, type PaperWish } from './papers.ts';
import { setStage, type Stage } from './stage.ts';

interface MaterialSpec {
  kind: OtherMaterialKind;
  /** Days before today on which it came. */
  came: number;
  ends: OtherMaterialState;
}
const spec = (kind: OtherMaterialKind, came: number, ends: OtherMaterialState): MaterialSpec => ({ kind, came, ends });
const MATERIALS: readonly MaterialSpec[] = [
  spec('FOLLOW_UP', 0, 'PENDING'),
  spec('FOLLOW_UP', 1, 'PENDING'),
  spec('BANK', 0, 'PENDING'),
  spec('PRIOR_PURCHASE', 1, 'PENDING'),
  spec('PRESCRIPTION', 4, 'PENDING'),
  spec('IDENTITY', 6, 'PENDING'),
  spec('FOLLOW_UP', 2, 'REVIEWING'),
  spec('BANK', 1, 'REVIEWING'),
  spec('OTHER', 3, 'REVIEWING'),
  spec('FOLLOW_UP', 3, 'SUPPLEMENT'),
  spec('PRIOR_PURCHASE', 2, 'SUPPLEMENT'),
  spec('IDENTITY', 2, 'SUPPLEMENT'),
  spec('FOLLOW_UP', 10, 'APPROVED'),
  spec('BANK', 8, 'APPROVED'),
  spec('PRIOR_PURCHASE', 7, 'APPROVED'),
  spec('PRESCRIPTION', 9, 'APPROVED'),
  spec('FOLLOW_UP', 12, 'REJECTED'),
  spec('BANK', 11, 'REJECTED'),
  spec('PRIOR_PURCHASE', 6, 'REJECTED'),
  spec('OTHER', 5, 'WITHDRAWN'),
];

const factsOf = ({ kind }: MaterialSpec, { insuredName }: ContractRecord, day: Day): OtherMaterialFacts =>
  ({
    FOLLOW_UP: { examinedOn: plusDays(day, -2), followUpResult: 'STABLE' as const },
    IDENTITY: { mobile: '13600136001' },
    BANK: { payeeName: insuredName, payeeBank: '中国工商银行', payeeAccount: '6222021001112223334' },
    PRIOR_PURCHASE: { drugName: '甲磺酸奥希替尼片', quantity: 1, amountFen: 558_000, purchasedOn: plusDays(day, -90) },
    PRESCRIPTION: { prescribedOn: plusDays(day, -1) },
    OTHER: { note: '居住地变更说明' },
  })[kind];

/** A paper of a material, as whoever wrote it would. */
function paperOf({ kind }: MaterialSpec, { insuredName, contractNo }: ContractRecord, facts: OtherMaterialFacts, day: Day): PaperWish {
  const { examinedOn, followUpResult, mobile, payeeName, payeeBank, payeeAccount, drugName, quantity, purchasedOn, prescribedOn } = facts;
  const rows: readonly (readonly [label: string, value: string | number | undefined])[] = [
    ['被保人', insuredName],
    ['合同编号', contractNo],
    ['复查日期', examinedOn],
    ['复查结论', followUpResult === undefined ? undefined : followUpResults.label(followUpResult)],
    ['新手机号', mobile],
    ['户名', payeeName],
    ['开户行', payeeBank],
    ['账号', payeeAccount],
    ['药品', drugName],
    ['数量', quantity],
    ['购药日期', purchasedOn],
    ['处方日期', prescribedOn],
    ['说明', facts.note],
    ['提交日期', day],
  ];
  const fields = rows.flatMap(([label, value]) => (value === undefined ? [] : [[label, String(value)] as const]));
  return { title: `${otherMaterialKinds.label(kind)}材料`, no: contractNo, fields };
}

/** Contracts in force that no change waits for: those of applications first, the oldest first. */
const contractsInForce = (stage: Stage) =>
  own(stage.tx)
    .selectFrom('enrolmentContract as c')
    .select(['c.id', 'c.startDate'])
    .where('c.state', '=', 'ACTIVE')
    .where(sql<boolean>`not exists (select from enrolment_amendment a where a.contract_id = c.id and a.state = 'PENDING')`)
    .orderBy(sql`c.origin = 'APPLY'`, 'desc')
    .orderBy('c.startDate')
    .orderBy('c.id')
    .execute();

const WORDING = '请上传完整、清晰的原件照片';

/** What the reviewer makes of a material that he has. */
async function decide(
  stage: Stage,
  spec: MaterialSpec,
  contract: ContractRecord,
  held: OtherMaterialRecord,
  fileId: string,
): Promise<void> {
  const review = enrolReview(stage.kernel.secrets);
  const reviewer = stage.staff.enrol_a;
  const acting = stage.at(plusDays(stage.today, 1 - spec.came), 'enrol_a');
  const decided = { decidedBy: reviewer.userId, decidedName: reviewer.displayName, decidedAt: acting.now, ...stopped };
  if (spec.ends === 'SUPPLEMENT') {
    const materialType = requiredPapers[spec.kind][0] ?? 'OTHER';
    await review.supplements.ask(acting, ownerOf(held), { items: [{ materialType, wording: WORDING }], days: 15 }, true);
    const applicantWording = `${materialTypes.label(materialType)}：${WORDING}`;
    await advance(acting, held, 'supplement', '', { applicantWording, ...(await paused(stage.tx, held, acting.now)) });
  }
  if (spec.ends === 'REJECTED')
    await advance(acting, held, 'reject', '材料与合同被保人不一致', {
      rejectReasons: ['R08'],
      applicantWording: '材料上的姓名与合同被保人不一致，请提交本人的材料',
      ...decided,
    });
  if (spec.ends !== 'APPROVED') return;
  const papers = await review.materials.of(stage.tx, ownerOf(held));
  await review.materials.judge(
    acting,
    ownerOf(held),
    papers.map(({ id }) => ({ id, verdict: 'OK' as const })),
  );
  const facts = openFacts(stage.kernel.secrets, held.factsCipher);
  const effect = await carryOut(stage.kernel, acting, contract, held, facts, [fileId], reviewer);
  await advance(acting, held, 'pass', '材料核对一致', { ...effect, ...decided });
}

async function writeMaterial(stage: Stage, spec: MaterialSpec, contract: ContractRecord): Promise<void> {
  const came = plusDays(stage.today, -spec.came);
  const facts = factsOf(spec, contract, came);
  const entering = stage.at(came, 'svc_a');
  const row = await enterMaterial(stage.kernel, entering, contract, { kind: spec.kind, facts }, entering.staff);
  const { fileId } = await storePaper(stage, paperOf(spec, contract, facts, came), OTHER_MATERIAL_PAPER, came, 'svc_a');
  await attachPapers(entering, row.id, [{ fileId }], entering.staff.userId);
  await enrolReview(stage.kernel.secrets).materials.add(entering, ownerOf(row), [
    { materialType: requiredPapers[spec.kind][0] ?? 'OTHER', fileId },
  ]);
  if (spec.ends === 'PENDING') return;
  const material = await otherMaterialRecords.lock(stage.tx, otherMaterialRecords.everyone, row.id);
  if (spec.ends === 'WITHDRAWN') {
    await advance(stage.at(came, 'svc_a'), material, 'withdraw', '客户另行提交', stopped);
    return;
  }
  const held = await advance(stage.at(plusDays(came, 1), 'enrol_a'), material, 'claim', '');
  await decide(stage, spec, contract, held, fileId);
}

/** Materials of each kind, in each state; what passed changed its contract. */
export const writeMaterialDemo = (demo: DemoContext): Promise<void> =>
  demo.transaction(async (writing) => {
    const stage = await setStage(demo, writing);
    const free = await contractsInForce(stage);
    for (const spec of MATERIALS.toSorted((one, other) => other.came - one.came)) {
      const place = free.findIndex(({ startDate }) => startDate !== null && startDate <= plusDays(stage.today, -spec.came));
      const [found] = place < 0 ? [] : free.splice(place, 1);
      if (found) await writeMaterial(stage, spec, await contractRecords.lock(stage.tx, contractRecords.everyone, found.id));
    }
  });

import { refuse } from '#kernel/contract/errors.ts';
import type { Db } from '#kernel/server/context.ts';
import { command, query } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { queryInsuredPersonDetail, revealInsuredField } from '../../contract/calls/persons.ts';
import { policyErrors } from '../../contract/errors.ts';
import { insuredRecords } from '../access.ts';
import { own } from '../database.ts';
import { enterpriseName } from './list.ts';
import { liveSlices } from '../cover/live.ts';

/** Every slice that a person ever had in sight, with what became of it. */
async function historyOf(db: Db, insuredItemId: string) {
  const slices = await own(db)
    .selectFrom('policyCoverSlice as s')
    .innerJoin('policyEndorsement as e', 'e.id', 's.createdByEndorsementId')
    .select([
      's.id',
      's.planCode',
      's.coverageStart',
      's.coverageEnd',
      's.annualPremiumFen',
      'e.id as endorsementId',
      'e.endorsementNo',
      'e.kind',
      'e.visibleAt',
      'e.undoneAt',
    ])
    .where('s.insuredItemId', '=', insuredItemId)
    .where('e.visibleAt', 'is not', null)
    .orderBy('e.seq')
    .orderBy('s.coverageStart')
    .execute();
  const replaced = await own(db)
    .selectFrom('policyCoverSupersede as u')
    .innerJoin('policyEndorsement as x', 'x.id', 'u.endorsementId')
    .innerJoin('policyCoverSlice as s', 's.id', 'u.sliceId')
    .select(['u.sliceId', 'x.endorsementNo'])
    .where('s.insuredItemId', '=', insuredItemId)
    .where('x.state', '=', 'VISIBLE')
    .execute();
  const by = new Map(replaced.map(({ sliceId, endorsementNo }) => [sliceId, endorsementNo]));
  return slices.map(({ visibleAt, ...slice }) => ({
    ...slice,
    visibleAt: visibleAt ?? '',
    replacedBy: by.get(slice.id) ?? null,
    state: slice.undoneAt !== null ? ('UNDONE' as const) : by.has(slice.id) ? ('REPLACED' as const) : ('LIVE' as const),
  }));
}

export const personDetail = query(queryInsuredPersonDetail, async ({ insuredItemId }, { db, staff, today }) => {
  const item = await insuredRecords.get(db, staff, insuredItemId);
  const policy = await own(db)
    .selectFrom('policyPolicy as p')
    .select(['p.policyNo', 'p.productName', 'p.coverageStart', 'p.coverageEnd', enterpriseName.as('enterpriseName')])
    .where('p.id', '=', item.policyId)
    .executeTakeFirstOrThrow();
  const main =
    item.mainInsuredItemId === null
      ? null
      : await own(db).selectFrom('policyInsuredItem').select('name').where('id', '=', item.mainInsuredItemId).executeTakeFirst();
  const live = (await liveSlices(db, [item.id])).get(item.id) ?? [];
  const shown = live.find(({ from, to }) => from <= today && today <= to) ?? live.at(-1);
  const uses = await own(db)
    .selectFrom('policyCoverUse')
    .select(['id', 'refType', 'refNo', 'state', 'useFrom', 'useTo', 'claimedFen', 'paidFen'])
    .where('insuredItemId', '=', item.id)
    .orderBy('id', 'desc')
    .limit(100)
    .execute();
  const premiumLines = await own(db)
    .selectFrom('policyPremiumOrderItem as l')
    .innerJoin('policyPremiumOrder as o', (join) => join.onRef('o.id', '=', 'l.premiumOrderId').onRef('o.generation', '=', 'l.generation'))
    .select(['l.id', 'o.premiumOrderNo', 'l.dateFrom as from', 'l.dateTo as to', 'l.amountFen', 'l.calc', 'o.state'])
    .where('l.insuredItemId', '=', item.id)
    .orderBy('l.id', 'desc')
    .limit(100)
    .execute();
  return {
    id: item.id,
    policyId: item.policyId,
    mainInsuredItemId: item.mainInsuredItemId,
    policyNo: policy.policyNo,
    enterpriseName: policy.enterpriseName,
    productName: policy.productName,
    policyStart: policy.coverageStart,
    policyEnd: policy.coverageEnd,
    name: item.name,
    relation: item.relation,
    mainName: main?.name ?? null,
    idType: item.idType,
    idNo: item.idNoMasked,
    gender: item.gender,
    birthDate: item.birthDate,
    mobile: item.mobileMasked,
    employeeNo: item.employeeNo,
    department: item.department,
    planCode: item.planCache,
    coverageStart: item.startCache,
    coverageEnd: item.endCache,
    annualPremiumFen: shown ? String(shown.annualFen) : null,
    state: item.stateCache,
    realNameState: item.realNameState,
    adcode: item.adcode,
    hasSocial: item.hasSocial,
    socialAdcode: item.socialAdcode,
    preExistingIcd: item.preExistingIcd,
    patientId: item.patientId,
    version: item.version,
    slices: await historyOf(db, item.id),
    uses,
    premiumLines,
  };
});

export const reveal = ({ secrets }: Kernel) =>
  command(revealInsuredField, async ({ insuredItemId, field, reason }, ctx) => {
    if (reason.length < 2) throw refuse(policyErrors.REASON_MISSING);
    const item = await insuredRecords.get(ctx.tx, ctx.staff, insuredItemId);
    ctx.target({ type: 'policy.insuredItem', id: item.id, no: item.name });
    const cipher = field === 'idNo' ? item.idNoCipher : item.mobileCipher;
    return { value: cipher === null ? null : secrets.decrypt(cipher) };
  });

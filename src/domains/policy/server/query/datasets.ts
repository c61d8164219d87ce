import { sql } from 'kysely';
import { endorsementKinds } from '../../contract/dictionaries.ts';
import type { DatasetCode } from '../../contract/query.ts';
import { endorsementMachine } from '../../contract/states.ts';
import { insurerNumbersShown } from '../access.ts';
import { isLive, isSuspendedOn } from '../cover/live.ts';
import { ofPolicyRow } from '../premium/due.ts';
import { dayColumn, ownColumn, type Dataset } from './dataset.ts';
import { coverFacts, ofPerson, ofPolicy, personFacts, policyFacts } from './facts.ts';
import { premiumItemSet, premiumMonthSet, premiumOrderSet, receiptSet } from './premiumSets.ts';

const policySet: Dataset = {
  code: 'policy',
  asOf: false,
  from: () => sql`policy_policy p`,
  insurer: 'p.insurerId',
  id: sql`p.id`,
  columns: [
    ...policyFacts,
    ofPolicy('platformNo', sql`p.platform_no`),
    ofPolicy('coverageStart', sql`p.coverage_start`),
    ofPolicy('coverageEnd', sql`p.coverage_end`),
    ofPolicy('state', sql`p.state`),
    ofPolicy('insuredCount', sql`p.insured_count`),
    ofPolicy('declaredCount', sql`p.declared_count`),
    ofPolicy('premiumFen', sql`p.premium_fen`),
    ofPolicy('waitingFen', sql`${ofPolicyRow('waitingFen')}::bigint`),
    ofPolicy('receivedFen', sql`${ofPolicyRow('receivedFen')}::bigint`),
    ownColumn('renewed', '是否续保', 'BOOL', sql`(p.renewal_of_policy_id is not null)`),
    ownColumn('channelName', '渠道', 'TEXT', sql`p.channel_name`),
    ownColumn('holderIdNo', '投保人证件号', 'TEXT', sql`p.holder_id_no_masked`, { mask: 'idNo', cipher: sql`p.holder_id_no_cipher` }),
    ownColumn('holderContact', '投保人电话', 'TEXT', sql`p.holder_contact_masked`, {
      mask: 'mobile',
      cipher: sql`p.holder_contact_cipher`,
    }),
    dayColumn('createdOn', '创建日期', 'p.createdAt'),
  ],
};

const insuredSet: Dataset = {
  code: 'insured',
  asOf: true,
  from: ({ asOf }) => sql`policy_insured_item i
    join policy_policy p on p.id = i.policy_id
    join policy_endorsement b on b.id = i.created_by_endorsement_id and b.visible_at is not null
    left join lateral (select s.* from policy_cover_slice s where s.insured_item_id = i.id and s.coverage_start <= ${asOf}::date
      and s.coverage_end >= ${asOf}::date and ${isLive('s', null)} and not ${isSuspendedOn(sql`i.policy_id`, sql`${asOf}`, null)}
      limit 1) c on true`,
  insurer: 'p.insurerId',
  id: sql`i.id`,
  columns: [
    ...policyFacts,
    ...personFacts,
    ownColumn('covered', '截止日在保', 'BOOL', sql`(c.id is not null)`),
    ...coverFacts('c'),
    ofPerson('realNameState', sql`i.real_name_state`),
  ],
};

const sliceSet: Dataset = {
  code: 'slice',
  asOf: false,
  from: () => sql`policy_cover_slice s
    join policy_insured_item i on i.id = s.insured_item_id
    join policy_policy p on p.id = s.policy_id
    join policy_endorsement e on e.id = s.created_by_endorsement_id and e.visible_at is not null`,
  insurer: 'p.insurerId',
  id: sql`s.id`,
  columns: [
    ...policyFacts,
    ...personFacts,
    ...coverFacts('s'),
    ownColumn('days', '保障天数', 'NUMBER', sql`(s.coverage_end - s.coverage_start + 1)`, { unit: '天' }),
    ownColumn('live', '是否有效', 'BOOL', isLive('s', null)),
    ownColumn('endorsementNo', '来源批单', 'TEXT', sql`e.endorsement_no`),
  ],
};

const endorsementSet: Dataset = {
  code: 'endorsement',
  asOf: false,
  from: () => sql`policy_endorsement e join policy_policy p on p.id = e.policy_id`,
  insurer: 'p.insurerId',
  id: sql`e.id`,
  columns: [
    ownColumn('endorsementNo', '批单号', 'TEXT', sql`e.endorsement_no`),
    ...policyFacts,
    { ...ownColumn('kind', '批单类型', 'OPTION', sql`e.kind`), dictionary: endorsementKinds },
    { ...ownColumn('state', '状态', 'OPTION', sql`e.state`), dictionary: endorsementMachine.dictionary },
    ownColumn('effectiveOn', '生效日期', 'DATE', sql`e.effective_on`),
    ownColumn('premiumDeltaFen', '保费变动', 'MONEY', sql`e.premium_delta_fen`),
    ownColumn(
      'persons',
      '涉及人数',
      'NUMBER',
      sql`(select count(distinct t.insured_item_id) from (
      select s.insured_item_id from policy_cover_slice s where s.created_by_endorsement_id = e.id
      union all select s.insured_item_id from policy_cover_supersede u join policy_cover_slice s on s.id = u.slice_id
        where u.endorsement_id = e.id) t)`,
    ),
    ownColumn('reason', '批改原因', 'TEXT', sql`e.reason`),
    ownColumn(
      'insurerEndorsementNo',
      '保司批单号',
      'TEXT',
      sql`(case when ${insurerNumbersShown('p.productLine')} then e.insurer_endorsement_no else '' end)`,
    ),
    ownColumn('maker', '经办人', 'TEXT', sql`e.maker_name`),
    dayColumn('visibleOn', '批单生效时间', 'e.visibleAt'),
    dayColumn('createdOn', '创建日期', 'e.createdAt'),
  ],
};

/** All that the query table can be asked for. */
export const datasetOf: Readonly<Record<DatasetCode, Dataset>> = {
  policy: policySet,
  insured: insuredSet,
  slice: sliceSet,
  endorsement: endorsementSet,
  premiumOrder: premiumOrderSet,
  premiumItem: premiumItemSet,
  receipt: receiptSet,
  premiumMonth: premiumMonthSet,
};

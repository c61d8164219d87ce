import { sql } from 'kysely';
import type { Day } from '#kernel/contract/time.ts';
import type { Db, Tx } from '#kernel/server/context.ts';
import type { BaseType, EarnedType, RuleType } from '../../contract/dictionaries.ts';

/** What rules are chosen by. */
export interface RuleFact {
  doctorId: string;
  channelId: string | null;
  serviceItemId: string | null;
  serviceType: string | null;
  doctorTitle: string | null;
  hospitalLevel: string | null;
}

interface Found {
  id: string;
  ruleCode: string;
  ruleName: string;
  versionNo: number;
  doctorId: string | null;
  channelId: string | null;
  serviceItemId: string | null;
  serviceType: string | null;
  doctorTitle: string | null;
  hospitalLevel: string | null;
  baseType: BaseType | null;
  ratioBp: number | null;
  fixedFen: string | null;
  capFen: string | null;
  freezeDays: number | null;
  cycleDay: number | null;
  minPayoutFen: string | null;
  payerEntityId: string | null;
}

const columns = sql`
  v.id, r.rule_code, r.rule_name, v.version_no, v.doctor_id, v.channel_id, v.service_item_id, v.service_type, v.doctor_title,
  v.hospital_level, v.base_type, v.ratio_bp, v.fixed_fen, v.cap_fen, v.freeze_days, v.cycle_day, v.min_payout_fen, v.payer_entity_id`;

/** Of the rules that hold on a day and are about the fact, the one that says most about it. */
async function chosen(db: Db | Tx, ruleType: RuleType, incomeType: EarnedType | null, day: Day, fact: RuleFact): Promise<Found | null> {
  const { rows } = await sql<Found>`
    select ${columns}
      from settlement_rule_version v
      join settlement_rule r on r.id = v.rule_id
      where v.rule_type = ${ruleType}
        and v.income_type is not distinct from ${incomeType}::text
        and v.status in ('PUBLISHED', 'RETIRED')
        and v.effective_from <= ${day}::date
        and (v.effective_to is null or v.effective_to > ${day}::date)
        and (v.doctor_id is null or v.doctor_id = ${fact.doctorId}::bigint)
        and (v.channel_id is null or v.channel_id = ${fact.channelId}::bigint)
        and (v.service_item_id is null or v.service_item_id = ${fact.serviceItemId}::bigint)
        and (v.service_type is null or v.service_type = ${fact.serviceType}::text)
        and (v.doctor_title is null or v.doctor_title = ${fact.doctorTitle}::text)
        and (v.hospital_level is null or v.hospital_level = ${fact.hospitalLevel}::text)
      order by v.scope_weight desc, v.id
      limit 1`.execute(db);
  return rows[0] ?? null;
}

export interface ShareRule extends Found {
  baseType: BaseType;
  ratioBp: number;
  fixedFen: string;
}
export interface CycleRule extends Found {
  freezeDays: number;
  cycleDay: number;
  minPayoutFen: string;
  payerEntityId: string;
}
const isShareRule = (rule: Found): rule is ShareRule => rule.baseType !== null && rule.ratioBp !== null && rule.fixedFen !== null;
const isCycleRule = (rule: Found): rule is CycleRule =>
  rule.freezeDays !== null && rule.cycleDay !== null && rule.minPayoutFen !== null && rule.payerEntityId !== null;

export async function shareRuleOf(db: Db | Tx, incomeType: EarnedType, day: Day, fact: RuleFact): Promise<ShareRule | null> {
  const found = await chosen(db, 'SHARE', incomeType, day, fact);
  return found && isShareRule(found) ? found : null;
}
/** Who pays a doctor, when, and from which amount on. */
export async function cycleRuleOf(db: Db | Tx, day: Day, fact: RuleFact): Promise<CycleRule | null> {
  const found = await chosen(db, 'CYCLE', null, day, fact);
  return found && isCycleRule(found) ? found : null;
}
/** The rule that an income was reckoned by. */
export async function shareRuleById(db: Db | Tx, id: string): Promise<ShareRule> {
  const { rows } = await sql<Found>`
    select ${columns} from settlement_rule_version v join settlement_rule r on r.id = v.rule_id where v.id = ${id}`.execute(db);
  const [found] = rows;
  if (!found || !isShareRule(found)) throw new Error(`The version ${id} is no share rule`);
  return found;
}

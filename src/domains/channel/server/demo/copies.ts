import { sql } from 'kysely';
import type { Instant } from '../../../../kernel/contract/time.ts';
import type { Tx } from '../../../../kernel/server/context.ts';

const AGENTS = ['周敏', '陈立', '何佳', '孙浩', '吴婷', '郑凯', '冯雪', '许诺', '韩冰', '唐宁'];
const DOCTORS = ['李文博', '王海燕', '张晓东', '刘思远', '赵静', '黄志强', '徐丽华', '马国栋', '朱明', '胡晓红', '郭峰', '林芳', '罗成', '梁颖', '宋涛', '谢敏', '唐军', '许晴', '邓伟', '曹颖'];
const HOSPITALS = ['浙江大学医学院附属第一医院', '上海市第六人民医院', '江苏省人民医院', '杭州市第一人民医院'];
const SCENES = [['高血压随访', '高血压'], ['2型糖尿病管理', '2型糖尿病'], ['冠心病术后', '冠心病'], ['慢阻肺用药', '慢阻肺'], ['血脂管理', '高脂血症'], ['甲状腺结节复查', '甲状腺结节']] as const;
const ITEMS = [['图文咨询', 9_900], ['电话咨询', 19_900], ['月度管理', 29_900]] as const;

/**
 * Copies of what the other domains own. Whatever they already published has come by event and is not touched; what they
 * publish later replaces these rows.
 */
export async function writeCopies(tx: Tx, now: Instant): Promise<void> {
  const add = (kind: string, id: number, name: string, usable: boolean, facts: object) =>
    sql`insert into channel_ref_copy (kind, ref_id, name, usable, facts, updated_at) values (${kind}, ${id}, ${name}, ${usable}, ${JSON.stringify(facts)}::jsonb, ${now}) on conflict do nothing`.execute(tx);
  for (const [index, name] of AGENTS.entries()) await add('AGENT', index + 1, name, index !== 8, { no: `DB${1001 + index}`, state: index === 8 ? 'LEFT' : 'ACTIVE' });
  for (const [index, name] of DOCTORS.entries()) await add('DOCTOR', index + 1, name, index % 9 !== 8, { no: `YS${1001 + index}`, hospitalName: HOSPITALS[index % HOSPITALS.length] });
  for (const [index, [name, diseaseName]] of SCENES.entries()) await add('SCENE', index + 1, name, true, { diseaseId: String(index + 1), diseaseName, chatFlag: index % 3, state: 'RUNNING' });
  await sql`insert into channel_ref_copy (kind, ref_id, name, usable, facts, updated_at) select 'USER', id, display_name, state = 'ENABLED', jsonb_build_object('no', op_no, 'state', state), ${now} from identity_staff_user on conflict do nothing`.execute(tx);
  for (const [index, [name, price]] of ITEMS.entries()) await add('ITEM', index + 1, name, true, { priceFen: String(price) });
}

import { sql } from 'kysely';
import type { Instant } from '../../../../kernel/contract/time.ts';
import type { Tx } from '../../../../kernel/server/context.ts';

const DOCTORS = ['李文博', '王海燕', '张晓东', '刘思远', '赵静', '黄志强', '徐丽华', '马国栋', '朱明', '胡晓红', '郭峰', '林芳', '罗成', '梁颖', '宋涛', '谢敏', '唐军', '许晴', '邓伟', '曹颖'];
const HOSPITALS = ['浙江大学医学院附属第一医院', '上海市第六人民医院', '江苏省人民医院', '杭州市第一人民医院'];
/** The first scenes of the corpus: name and 会话方式. */
const SCENES = [['新患者入群', 2], ['血糖管理', 0], ['复购提醒', 1], ['复诊提醒', 2], ['沉默患者唤醒', 1]] as const;
const ITEMS = [['图文咨询', 9_900], ['电话咨询', 19_900], ['月度管理', 29_900]] as const;

/**
 * Copies of what the other domains own. Whatever they already published has come by event and is not touched; what they
 * publish later replaces these rows.
 */
export async function writeCopies(tx: Tx, now: Instant): Promise<void> {
  const add = (kind: string, id: number, name: string, usable: boolean, facts: object) =>
    sql`insert into channel_ref_copy (kind, ref_id, name, usable, facts, updated_at) values (${kind}, ${id}, ${name}, ${usable}, ${JSON.stringify(facts)}::jsonb, ${now}) on conflict do nothing`.execute(tx);
  for (const [index, name] of DOCTORS.entries()) await add('DOCTOR', index + 1, name, index % 9 !== 8, { no: `YS${1001 + index}`, hospitalName: HOSPITALS[index % HOSPITALS.length] });
  for (const [index, [name, chatFlag]] of SCENES.entries()) await add('SCENE', index + 1, name, true, { diseaseId: '1', diseaseName: '2型糖尿病', chatFlag, state: 'UNPUBLISHED' });
  await sql`insert into channel_ref_copy (kind, ref_id, name, usable, facts, updated_at) select 'USER', id, display_name, state = 'ENABLED', jsonb_build_object('no', op_no, 'state', state), ${now} from identity_staff_user on conflict do nothing`.execute(tx);
  for (const [index, [name, price]] of ITEMS.entries()) await add('ITEM', index + 1, name, true, { priceFen: String(price) });
}

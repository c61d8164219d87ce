import type { ReferenceData } from '#kernel/server/module.ts';
import { ownTx } from '../database.ts';

/** 诊疗科目名录, first two levels: code, name, then the second level's names in order. */
const catalogue: readonly [code: string, name: string, below: readonly string[]][] = [
  ['01', '预防保健科', []],
  ['02', '全科医疗科', []],
  ['03', '内科', ['呼吸内科', '消化内科', '神经内科', '心血管内科', '血液内科', '肾病学', '内分泌科', '免疫学', '变态反应', '老年病']],
  ['04', '外科', ['普通外科', '神经外科', '骨科', '泌尿外科', '胸外科', '心脏大血管外科', '烧伤科', '整形外科']],
  ['05', '妇产科', ['妇科', '产科', '计划生育', '优生学', '生殖健康与不孕症']],
  ['06', '妇女保健科', []],
  ['07', '儿科', ['新生儿', '小儿传染病', '小儿消化', '小儿呼吸', '小儿心脏病', '小儿肾病', '小儿血液病', '小儿神经病学', '小儿内分泌']],
  ['08', '小儿外科', ['小儿普通外科', '小儿骨科', '小儿泌尿外科', '小儿胸心外科', '小儿神经外科']],
  ['09', '儿童保健科', []],
  ['10', '眼科', []],
  ['11', '耳鼻咽喉科', ['耳科', '鼻科', '咽喉科']],
  ['12', '口腔科', ['牙体牙髓病', '牙周病', '口腔颌面外科', '口腔修复', '口腔正畸']],
  ['13', '皮肤科', ['皮肤病', '性传播疾病']],
  ['14', '医疗美容科', []],
  ['15', '精神科', ['精神病', '精神卫生', '药物依赖', '临床心理']],
  ['16', '传染科', ['肠道传染病', '呼吸道传染病', '肝炎', '虫媒传染病']],
  ['17', '结核病科', []],
  ['18', '地方病科', []],
  ['19', '肿瘤科', []],
  ['20', '急诊医学科', []],
  ['21', '康复医学科', []],
  ['22', '运动医学科', []],
  ['23', '职业病科', []],
  ['24', '临终关怀科', []],
  ['26', '麻醉科', []],
  ['27', '疼痛科', []],
  ['28', '重症医学科', []],
  ['30', '医学检验科', []],
  ['31', '病理科', []],
  ['32', '医学影像科', ['X线诊断', 'CT诊断', '磁共振成像诊断', '核医学', '超声诊断', '放射治疗']],
  ['50', '中医科', ['内科', '外科', '妇产科', '儿科', '皮肤科', '骨伤科', '肛肠科', '针灸科', '推拿科', '康复医学']],
  ['52', '中西医结合科', []],
];

const rows = catalogue.flatMap(([code, name, below]) => [
  { code, parentCode: null as string | null, name, sort: Number(code) * 100 },
  ...below.map((child, index) => ({
    code: `${code}.${String(index + 1).padStart(2, '0')}`,
    parentCode: code as string | null,
    name: code === '50' ? `中医${child}` : child,
    sort: Number(code) * 100 + index + 1,
  })),
]);

/** The platform's standard departments; rows are added and renamed, never taken away. */
export const standardDeptReference: ReferenceData = {
  name: 'institution.standardDepartments',
  content: rows,
  async write(tx) {
    await ownTx(tx)
      .insertInto('institutionStandardDept')
      .values(rows.map((row) => ({ ...row, aliasNames: [], state: 'ENABLED' })))
      .onConflict((conflict) =>
        conflict.column('code').doUpdateSet((eb) => ({
          name: eb.ref('excluded.name'),
          parentCode: eb.ref('excluded.parentCode'),
          sort: eb.ref('excluded.sort'),
        })),
      )
      .execute();
  },
};

import type { ReportPicture } from '#kernel/server/demo/reportPicture.ts';

/** The paper behind each course's report, as its people speak of it. */
const reports: Readonly<Record<string, ReportPicture>> = {
  糖化血红蛋白: {
    title: '糖化血红蛋白检验',
    rows: [
      ['糖化血红蛋白', '7.8 ↑', '%', '4.0-6.0'],
      ['空腹血糖', '8.6 ↑', 'mmol/L', '3.9-6.1'],
    ],
    words: '糖化血红蛋白及空腹血糖偏高，请结合临床。',
  },
  动态血压: {
    title: '动态血压监测',
    rows: [
      ['24小时平均', '142/89 ↑', 'mmHg', '＜130/80'],
      ['日间平均', '146/92 ↑', 'mmHg', '＜135/85'],
      ['夜间平均', '131/82 ↑', 'mmHg', '＜120/70'],
    ],
    words: '清晨血压偏高，夜间下降幅度减小。',
  },
  心脏超声: {
    title: '心脏超声检查',
    rows: [
      ['左室射血分数', '56', '%', '＞50'],
      ['左室舒张末内径', '52', 'mm', '＜55'],
    ],
    words: '左室舒张功能减低，余未见明显异常。',
  },
  肾功能: {
    title: '肾功能检验',
    rows: [
      ['肌酐', '182.5 ↑', 'μmol/L', '57-111'],
      ['尿酸', '480 ↑', 'μmol/L', '208-428'],
      ['钾', '4.9', 'mmol/L', '3.5-5.3'],
    ],
    words: '肌酐、尿酸升高，请结合临床。',
  },
  胸部增强CT: { title: '胸部增强CT检查', rows: [], words: '右肺上叶结节约9mm，纵隔淋巴结未见肿大，较前片大致相仿，建议随访。' },
  乳腺超声: { title: '乳腺超声检查', rows: [], words: '对侧乳腺见8mm低回声结节，边界清，BI-RADS 3类，建议六个月后复查。' },
  PSA: {
    title: '前列腺特异性抗原检验',
    rows: [
      ['总PSA', '4.125 ↑', 'ng/mL', '＜4.0'],
      ['睾酮', '0.3', 'ng/mL', '去势水平＜0.5'],
    ],
    words: '总PSA较前次升高，请结合临床。',
  },
  乙肝病毒DNA: {
    title: '乙肝病毒核酸检验',
    rows: [
      ['HBV-DNA', '低于检测下限', 'IU/mL', '＜20'],
      ['丙氨酸氨基转移酶', '68 ↑', 'U/L', '9-50'],
    ],
    words: '病毒核酸低于检测下限，转氨酶轻度升高。',
  },
  血沉和C反应蛋白: {
    title: '血沉及C反应蛋白检验',
    rows: [
      ['血沉', '48 ↑', 'mm/h', '0-20'],
      ['C反应蛋白', '26 ↑', 'mg/L', '＜8'],
    ],
    words: '炎症指标升高，请结合临床。',
  },
  皮损照片: { title: '皮肤镜检查', rows: [], words: '双肘、小腿伸侧斑块状皮损伴鳞屑，符合银屑病改变。' },
  肺功能: {
    title: '肺功能检查',
    rows: [
      ['FEV1占预计值', '74', '%', '≥80'],
      ['FEV1/FVC', '68', '%', '≥70'],
      ['峰流速占个人最佳值', '72', '%', '≥80'],
    ],
    words: '轻度阻塞性通气功能障碍。',
  },
  过敏原检测: {
    title: '过敏原检测',
    rows: [
      ['总IgE', '386 ↑', 'IU/mL', '＜100'],
      ['尘螨', '3级 ↑', '', '0级'],
      ['鸡蛋白', '0级', '', '0级'],
    ],
    words: '尘螨过敏，建议避免接触。',
  },
};
export const reportNames: readonly string[] = Object.keys(reports);
export const reportOf = (name: string): ReportPicture => reports[name]!;
/** Under which name a patient's phone sends it. */
export const reportFile = (name: string): string => `${reportOf(name).title}报告单.jpg`;

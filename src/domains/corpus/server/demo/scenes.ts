import type { ChatFlag } from '../../contract/dictionaries.ts';
import type { DemoRow, PresetName } from './presets.ts';

export interface DemoScene {
  name: string;
  chatFlag: ChatFlag;
  preset: PresetName;
  launch?: readonly DemoRow[];
  children?: readonly DemoScene[];
  childExclusive?: true;
}

const scene = (name: string, chatFlag: ChatFlag, preset: PresetName, more: Partial<DemoScene> = {}): DemoScene => ({
  name,
  chatFlag,
  preset,
  ...more,
});

const older: readonly DemoRow[] = [['patient.age', '>=', '65']];
const anyGrade: readonly DemoRow[] = [
  ['patient.adverseGrade', '=', '1'],
  ['patient.adverseGrade', '=', '2', 1, 2],
  ['patient.adverseGrade', '=', '3', 1, 3],
];
const women: readonly DemoRow[] = [
  ['patient.sex', '=', '2'],
  ['patient.age', 'range', '45,60'],
];

/** 46 scenes and 58 child scenes of the diseases in the corpus, by disease code; L20 has none. */
export const demoScenes: Readonly<Record<string, readonly DemoScene[]>> = {
  E11: [
    scene('新患者入群', 2, 'welcome', {
      children: [scene('65岁以上患者', 2, 'welcome', { launch: older }), scene('首次使用胰岛素', 1, 'education')],
    }),
    scene('血糖管理', 0, 'control', {
      childExclusive: true,
      children: [
        scene('糖化7至9', 0, 'control'),
        scene('糖化高于9', 2, 'control', { launch: [['patient.hba1c', '>', '9']] }),
        scene('空腹血糖偏低', 1, 'adverse', { launch: [['patient.fastingGlucose', '<', '3.9']] }),
      ],
    }),
    scene('复购提醒', 1, 'rebuy', { children: [scene('断药超过25天', 1, 'lapsed')] }),
    scene('复诊提醒', 2, 'revisit'),
    scene('沉默患者唤醒', 1, 'silent', {
      children: [scene('医生未发言', 0, 'silent', { launch: [['doctor.hoursSinceMessage', '>', '168']] })],
    }),
  ],
  I10: [
    scene('新患者入群', 2, 'welcome', { children: [scene('家庭血压监测指导', 2, 'education')] }),
    scene('血压管理', 0, 'control', {
      launch: [
        ['patient.systolic', '>=', '140'],
        ['patient.diastolic', '>=', '90', 1, 2],
      ],
      children: [
        scene('收缩压140至159', 0, 'control', { launch: [['patient.systolic', 'range', '140,159']] }),
        scene('收缩压160以上', 2, 'adverse', { launch: [['patient.systolic', '>=', '160']] }),
      ],
    }),
    scene('复购提醒', 1, 'rebuy', { children: [scene('断药超过25天', 1, 'lapsed')] }),
    scene('复诊提醒', 2, 'revisit', { children: [scene('65岁以上患者', 2, 'revisit', { launch: older })] }),
  ],
  C34: [
    scene('新患者入群', 2, 'welcome', { children: [scene('靶向治疗须知', 2, 'education'), scene('免疫治疗须知', 2, 'education')] }),
    scene('复购提醒', 1, 'rebuy', { children: [scene('奥希替尼复购', 1, 'rebuy'), scene('断药超过25天', 1, 'lapsed')] }),
    scene('化疗后关怀', 2, 'adverse', {
      launch: anyGrade,
      children: [
        scene('骨髓抑制', 2, 'adverse'),
        scene('恶心呕吐', 1, 'adverse'),
        scene('皮疹', 1, 'adverse', { launch: [['patient.adverseGrade', '=', '3']] }),
      ],
    }),
    scene('复查提醒', 0, 'check', { children: [scene('肿瘤标志物复查', 0, 'check', { launch: [['patient.cea', '>', '5']] })] }),
    scene('长期生存随访', 2, 'education'),
  ],
  C50: [
    scene('新患者入群', 2, 'welcome', { children: [scene('围绝经期患者', 2, 'welcome', { launch: women })] }),
    scene('内分泌治疗依从', 1, 'rebuy', { children: [scene('断药超过25天', 1, 'lapsed'), scene('骨密度检查', 1, 'check')] }),
    scene('化疗后关怀', 2, 'adverse', { children: [scene('骨髓抑制', 2, 'adverse'), scene('上肢水肿', 1, 'education')] }),
    scene('复查提醒', 0, 'check'),
  ],
  C61: [
    scene('新患者入群', 2, 'welcome'),
    scene('PSA管理', 0, 'control', {
      launch: [['patient.psa', '>', '4']],
      children: [
        scene('PSA 4至10', 0, 'control', { launch: [['patient.psa', 'range', '4,10']] }),
        scene('PSA 10以上', 2, 'check', { launch: [['patient.psa', '>', '10']] }),
      ],
    }),
    scene('复购提醒', 1, 'rebuy', { children: [scene('断药超过25天', 1, 'lapsed')] }),
    scene('复诊提醒', 2, 'revisit', { children: [scene('75岁以上患者', 2, 'revisit', { launch: [['patient.age', '>', '75']] })] }),
  ],
  B18: [
    scene('新患者入群', 2, 'welcome', { children: [scene('抗病毒治疗须知', 2, 'education')] }),
    scene('复购提醒', 1, 'rebuy', { children: [scene('断药超过25天', 1, 'lapsed')] }),
    scene('复查提醒', 0, 'check', {
      children: [scene('半年未检查', 0, 'check', { launch: [['patient.daysSinceInspection', '>', '180']] })],
    }),
    scene('沉默患者唤醒', 1, 'silent'),
  ],
  M05: [
    scene('新患者入群', 2, 'welcome', { children: [scene('生物制剂须知', 2, 'education')] }),
    scene('关节自评', 0, 'control', {
      launch: [['patient.lastFormScore', '>=', '40']],
      children: [
        scene('中度活动', 0, 'control', { launch: [['patient.lastFormScore', 'range', '40,60']] }),
        scene('重度活动', 2, 'adverse', { launch: [['patient.lastFormScore', '>', '60']] }),
      ],
    }),
    scene('复购提醒', 1, 'rebuy', { children: [scene('断药超过25天', 1, 'lapsed')] }),
    scene('复诊提醒', 2, 'revisit', { children: [scene('主任医师患者', 2, 'revisit', { launch: [['doctor.title', '=', '1']] })] }),
  ],
  L40: [
    scene('新患者入群', 2, 'welcome', { children: [scene('注射部位护理', 1, 'education')] }),
    scene('皮损自评', 1, 'control', { launch: [['patient.lastFormScore', '>', '20']], children: [scene('皮损加重', 1, 'adverse')] }),
    scene('复购提醒', 1, 'rebuy', { children: [scene('断药超过25天', 1, 'lapsed')] }),
    scene('沉默患者唤醒', 1, 'silent', {
      children: [scene('医助待办较多', 1, 'silent', { launch: [['assistant.openTasks', '>=', '10']] })],
    }),
  ],
  I25: [
    scene('新患者入群', 2, 'welcome', { children: [scene('支架术后须知', 2, 'education'), scene('心脏康复', 2, 'education')] }),
    scene('血脂管理', 0, 'control', {
      launch: [['patient.ldl', '>', '1.8']],
      children: [
        scene('LDL-C 1.8至2.6', 0, 'control', { launch: [['patient.ldl', 'range', '1.8,2.6']] }),
        scene('LDL-C 高于2.6', 2, 'control', { launch: [['patient.ldl', '>', '2.6']] }),
      ],
    }),
    scene('复购提醒', 1, 'rebuy', { children: [scene('双抗停药提醒', 1, 'lapsed')] }),
    scene('复诊提醒', 2, 'revisit', { children: [scene('65岁以上患者', 2, 'revisit', { launch: older })] }),
  ],
  N18: [
    scene('新患者入群', 2, 'welcome', { children: [scene('低蛋白饮食指导', 2, 'education')] }),
    scene('肾功能管理', 0, 'control', {
      launch: [['patient.creatinine', '>=', '133']],
      children: [
        scene('肌酐133至442', 0, 'control', { launch: [['patient.creatinine', 'range', '133,442']] }),
        scene('肌酐442以上', 2, 'check', { launch: [['patient.creatinine', '>', '442']] }),
      ],
    }),
    scene('复购提醒', 1, 'rebuy', { children: [scene('断药超过25天', 1, 'lapsed')] }),
    scene('复查提醒', 0, 'check', { children: [scene('透析患者', 2, 'education')] }),
  ],
  J45: [
    scene('新患者入群', 2, 'welcome', { children: [scene('吸入装置使用', 2, 'education'), scene('过敏原回避', 1, 'education')] }),
    scene('症状日记', 1, 'education', { children: [scene('夜间憋醒', 1, 'adverse'), scene('运动后喘息', 1, 'empty')] }),
    scene('复购提醒', 1, 'rebuy', { children: [scene('断药超过25天', 1, 'lapsed')] }),
    scene('季节交替期控制药物依从性与峰流速监测联合提醒（春秋两季）', 2, 'silent', { children: [scene('待补充', 2, 'empty')] }),
  ],
};

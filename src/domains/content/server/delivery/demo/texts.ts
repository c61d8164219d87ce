import type { AdClass } from '../../../contract/adverts/dictionaries.ts';
import type { PositionCode } from '../../../contract/delivery/positions.ts';

interface Theme {
  title: string;
  words: string;
}
const theme = (title: string, words: string): Theme => ({ title, words });

/** What banners are about, by the client that shows them. */
export const bannerThemes = {
  PATIENT: [
    theme('国庆用药关怀', '假期备药提醒，在线续方不断档'),
    theme('慢病复诊季', '高血压糖尿病线上复诊'),
    theme('冬季护心行动', '血压监测与用药指导'),
    theme('惠民保可用药', '目录内药品一键查询'),
    theme('药师在线', '用药问题随时问'),
    theme('冷链到家', '生物制剂全程温控配送'),
    theme('报告解读', '专科医生看懂化验单'),
    theme('糖友管家', '血糖记录与饮食建议'),
    theme('名医直播周', '每晚八点专家答疑'),
    theme('新用户礼', '首次咨询减免服务费'),
  ],
  DOCTOR: [
    theme('指南更新', '2026版肺癌诊疗要点'),
    theme('学术会议报名', '线上病例讨论开放报名'),
    theme('随访工具升级', '患者分组与批量提醒'),
    theme('电子签名上线', '处方签名更快捷'),
  ],
  STORE: [theme('冬季陈列指引', '重点品种陈列示范'), theme('店员培训', '慢病服务能力认证'), theme('冷链验收规范', '收货操作要点')],
} as const satisfies Record<string, readonly Theme[]>;

export interface DemoAd extends Theme {
  adClass: AdClass;
  sponsor: string;
  sponsorType: 'PHARMA' | 'INSURER' | 'SELF' | 'OTHER';
  positionCode: PositionCode;
}
const ad = (
  adClass: AdClass,
  title: string,
  words: string,
  [sponsorType, sponsor]: readonly [DemoAd['sponsorType'], string],
  positionCode: PositionCode,
): DemoAd => ({ adClass, title, words, sponsor, sponsorType, positionCode });

const pharma = (name: string) => ['PHARMA', name] as const;
const insurer = (name: string) => ['INSURER', name] as const;
const own = ['SELF', '康桥健康'] as const;
const other = (name: string) => ['OTHER', name] as const;

/** Advertisements over all classes. */
export const demoAds: readonly DemoAd[] = [
  ad('RX', '奥希替尼用药须知', '供医学药学专业人士阅读', pharma('阿斯利康'), 'DR_HOME_FEED'),
  ad('RX', '甘精胰岛素临床资料', '供医学药学专业人士阅读', pharma('甘李药业'), 'DR_HOME_POPUP'),
  ad('RX', '信迪利单抗学术专题', '供医学药学专业人士阅读', pharma('信达生物'), 'DR_EARNING_FEED'),
  ad('RX', '贝伐珠单抗病例集', '供医学药学专业人士阅读', pharma('齐鲁制药'), 'DR_HOME_FEED'),
  ad('RX', '替雷利珠单抗用药管理', '供医学药学专业人士阅读', pharma('百济神州'), 'DR_HOME_FEED'),
  ad('OTC', '布洛芬缓释胶囊', '请按药品说明书或在药师指导下购买和使用', pharma('欧意药业'), 'MP_MALL_FEED'),
  ad('OTC', '藿香正气滴丸', '请按药品说明书或在药师指导下购买和使用', pharma('天士力'), 'MP_MALL_FEED'),
  ad('OTC', '双氯芬酸二乙胺乳胶剂', '请按药品说明书或在药师指导下购买和使用', pharma('诺华'), 'MP_HOME_FEED'),
  ad('OTC', '蒙脱石散', '请按药品说明书或在药师指导下购买和使用', pharma('正大天晴'), 'MP_DRUG_DETAIL_FEED'),
  ad('OTC', '氯雷他定片', '请按药品说明书或在药师指导下购买和使用', pharma('扬子江药业'), 'MP_DRUG_DETAIL_FEED'),
  ad('DEVICE', '上臂式电子血压计', '请仔细阅读产品说明书', other('鱼跃医疗'), 'MP_HOME_FEED'),
  ad('DEVICE', '动态血糖仪', '请仔细阅读产品说明书', other('微泰医疗'), 'MP_MINE_FEED'),
  ad('DEVICE', '家用制氧机', '请仔细阅读产品说明书', other('鱼跃医疗'), 'MP_MALL_FEED'),
  ad('DEVICE', '胰岛素笔针头', '请仔细阅读产品说明书', other('碧迪医疗'), 'MP_DRUG_DETAIL_FEED'),
  ad('DEVICE', '雾化器', '请仔细阅读产品说明书', other('欧姆龙'), 'MP_CONSULT_FEED'),
  ad('SUPPLEMENT', '维生素D软胶囊', '补充维生素D', other('汤臣倍健'), 'MP_MALL_FEED'),
  ad('SUPPLEMENT', '辅酶Q10软胶囊', '有助于增强免疫力', other('养生堂'), 'MP_HOME_FEED'),
  ad('SUPPLEMENT', '蛋白粉', '补充蛋白质', other('汤臣倍健'), 'MP_MINE_FEED'),
  ad('SUPPLEMENT', '鱼油软胶囊', '辅助降血脂', other('金达威'), 'MP_MALL_FEED'),
  ad('SERVICE', '互联网医院复诊', '在线复诊与电子处方', own, 'MP_HOME_POPUP'),
  ad('SERVICE', '口腔检查预约', '就近门店预约', other('通策医疗'), 'MP_CONSULT_FEED'),
  ad('SERVICE', '体检套餐', '多项检查可选', other('美年大健康'), 'MP_HOME_FEED'),
  ad('SERVICE', '康复训练指导', '居家康复方案', other('顾连康复'), 'MP_CONSULT_FEED'),
  ad('INSURANCE', '惠民保投保入口', '不限年龄，既往症可投', insurer('人保财险'), 'MP_RIGHTS_FEED'),
  ad('INSURANCE', '百万医疗险', '住院医疗费用报销', insurer('平安健康险'), 'MP_RIGHTS_FEED'),
  ad('INSURANCE', '特药险', '目录内特药直付', insurer('太平洋健康险'), 'MP_HOME_FLOAT'),
  ad('INSURANCE', '门诊险', '门急诊费用报销', insurer('众安保险'), 'MP_MINE_FEED'),
  ad('INSURANCE', '意外险', '全年意外保障', insurer('人保财险'), 'MP_RIGHTS_FEED'),
  ad('INSURANCE', '家庭医疗险', '一家人一张保单', insurer('平安健康险'), 'MP_HOME_FEED'),
  ad('BRAND', '康桥健康开屏', '陪伴每一次用药', own, 'MP_HOME_SPLASH'),
  ad('BRAND', '齐鲁制药品牌日', '以质量守护健康', pharma('齐鲁制药'), 'MP_HOME_FEED'),
  ad('BRAND', '恒瑞医药品牌展示', '科技为本', pharma('恒瑞医药'), 'DR_HOME_FEED'),
  ad('BRAND', '医生端新功能', '随访与收入一目了然', own, 'DR_EARNING_FEED'),
  ad('BRAND', '药店合作招募', '加入康桥合作药店', own, 'ST_HOME_FEED'),
  ad('BRAND', '门店数字化方案', '库存与处方协同', own, 'ST_HOME_FEED'),
  ad('PUBLIC', '世界糖尿病日', '关注血糖，定期检查', own, 'MP_HOME_FEED'),
  ad('PUBLIC', '合理用药宣传周', '抗菌药物不随意使用', own, 'MP_MALL_FEED'),
  ad('PUBLIC', '罕见病日', '让罕见被看见', own, 'MP_MINE_FEED'),
  ad('PUBLIC', '献血者招募', '一次献血，守护生命', own, 'MP_CONSULT_FEED'),
  ad('PUBLIC', '家庭过期药品回收', '到合作药店交回过期药品', own, 'ST_HOME_FEED'),
];

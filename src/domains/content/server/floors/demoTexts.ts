import type { FloorType } from '../../contract/floors/dictionaries.ts';
import type { PageCode } from '../../contract/floors/clientPages.ts';
import type { ReleaseState } from '../../contract/releases/states.ts';

type Named = readonly [type: FloorType, name: string];

/** Floors of each page in their order. */
export const demoFloors: Readonly<Record<PageCode, readonly Named[]>> = {
  MP_HOME: [
    ['BANNER', '首页轮播'],
    ['NOTICE', '服务公告'],
    ['ICON_GRID', '常用服务'],
    ['RIGHTS', '我的权益卡片'],
    ['GOODS', '常备药品'],
    ['DOCTOR', '推荐医生'],
    ['DISEASE', '慢病专区'],
    ['ARTICLE', '健康科普'],
    ['IMAGE', '复诊续方'],
    ['AD', '首页广告'],
    ['GOODS', '惠民保可用药品'],
    ['ICON_GRID', '特色服务'],
  ],
  MP_MALL: [
    ['BANNER', '商城轮播'],
    ['ICON_GRID', '药品分类'],
    ['NOTICE', '购药须知'],
    ['GOODS', '慢病用药'],
    ['GOODS', '肿瘤用药'],
    ['GOODS', '家庭常备'],
    ['DISEASE', '按病种找药'],
    ['AD', '商城广告'],
    ['ARTICLE', '用药科普'],
    ['IMAGE', '冬季呵护'],
  ],
  MP_RIGHTS: [
    ['BANNER', '权益轮播'],
    ['RIGHTS', '我的保险权益'],
    ['ICON_GRID', '权益服务'],
    ['NOTICE', '理赔提示'],
    ['GOODS', '权益内药品'],
    ['DOCTOR', '权益内医生'],
    ['ARTICLE', '权益解读'],
    ['AD', '权益页广告'],
  ],
  MP_DRUG_DETAIL: [
    ['NOTICE', '处方药提示'],
    ['GOODS', '同类药品'],
    ['DOCTOR', '可咨询医生'],
    ['ARTICLE', '用药指导'],
    ['DISEASE', '相关病种'],
    ['IMAGE', '冷链配送'],
    ['AD', '详情页广告'],
  ],
  MP_CONSULT: [
    ['BANNER', '咨询轮播'],
    ['NOTICE', '咨询须知'],
    ['ICON_GRID', '咨询方式'],
    ['DOCTOR', '在线医生'],
    ['DOCTOR', '专家团队'],
    ['DISEASE', '按病种咨询'],
    ['ARTICLE', '就诊准备'],
    ['AD', '咨询页广告'],
  ],
  MP_MINE: [
    ['RIGHTS', '权益概览'],
    ['ICON_GRID', '我的服务'],
    ['NOTICE', '账户提醒'],
    ['GOODS', '常购药品'],
    ['DOCTOR', '我的医生推荐'],
    ['ARTICLE', '为您推荐'],
    ['AD', '我的页广告'],
  ],
  DR_HOME: [
    ['BANNER', '医生端轮播'],
    ['NOTICE', '平台公告'],
    ['ICON_GRID', '工作台'],
    ['ARTICLE', '指南更新'],
    ['ARTICLE', '学术会议'],
    ['DISEASE', '专病中心'],
    ['GOODS', '新上市药品'],
    ['IMAGE', '调研邀请'],
    ['AD', '医生端广告'],
  ],
  DR_EARNING: [
    ['BANNER', '收入页轮播'],
    ['NOTICE', '结算公告'],
    ['ICON_GRID', '收入工具'],
    ['ARTICLE', '税务说明'],
    ['IMAGE', '签约指引'],
    ['AD', '收入页广告'],
  ],
  ST_HOME: [
    ['BANNER', '药店端轮播'],
    ['NOTICE', '门店公告'],
    ['ICON_GRID', '门店工具'],
    ['GOODS', '重点品种'],
    ['ARTICLE', '店员培训'],
    ['IMAGE', '陈列示范'],
    ['AD', '药店端广告'],
  ],
};

/** States of the releases of each page from the first on; of 患者小程序首页 V12 was rolled back to V11 after 20 minutes. */
export const demoReleases: Readonly<Record<PageCode, readonly ReleaseState[]>> = {
  MP_HOME: [...Array.from({ length: 10 }, () => 'SUPERSEDED' as const), 'LIVE', 'SUPERSEDED'],
  MP_MALL: ['SUPERSEDED', 'LIVE', 'AUDITING'],
  MP_RIGHTS: ['REJECTED', 'LIVE', 'SCHEDULED'],
  MP_DRUG_DETAIL: ['SUPERSEDED', 'LIVE', 'CANCELLED'],
  MP_CONSULT: ['LIVE', 'AUDITING'],
  MP_MINE: ['LIVE', 'REJECTED'],
  DR_HOME: ['SUPERSEDED', 'LIVE'],
  DR_EARNING: ['CANCELLED', 'LIVE'],
  ST_HOME: ['SUPERSEDED', 'LIVE'],
};

/** Texts of the items by the type of their floor; medicines and doctors are those that there are. */
export const demoItems: Readonly<Partial<Record<FloorType, readonly string[]>>> = {
  NOTICE: ['服务时间每日8:00至22:00'],
  ICON_GRID: ['在线咨询', '复诊续方', '药品配送', '报告解读', '我的订单', '联系客服', '保险服务', '健康档案'],
  DISEASE: ['高血压', '糖尿病', '冠心病', '肺癌', '乳腺癌', '类风湿关节炎'],
  ARTICLE: ['按时服药的小技巧', '冬季血压管理', '读懂化验单', '胰岛素如何保存'],
  IMAGE: ['查看详情'],
};

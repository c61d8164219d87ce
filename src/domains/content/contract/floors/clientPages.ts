import { dictionary } from '#kernel/contract/dictionary.ts';

/** Pages of the clients that this back-office fills. */
export const pageCodes = dictionary('content.pageCode', {
  MP_HOME: '患者小程序首页',
  MP_MALL: '药品商城首页',
  MP_RIGHTS: '保险权益页',
  MP_DRUG_DETAIL: '药品详情页',
  MP_CONSULT: '咨询页',
  MP_MINE: '我的',
  DR_HOME: '医生端首页',
  DR_EARNING: '医生收入页',
  ST_HOME: '药店端首页',
});
export type PageCode = (typeof pageCodes.codes)[number];

export const clientTypes = dictionary('content.clientType', { PATIENT: '患者端', DOCTOR: '医生端', STORE: '药店端' });
export type ClientType = (typeof clientTypes.codes)[number];

/** A page belongs to one client; its code begins with the client's letters. */
export const clientTypeOf = (pageCode: PageCode): ClientType =>
  pageCode.startsWith('DR_') ? 'DOCTOR' : pageCode.startsWith('ST_') ? 'STORE' : 'PATIENT';

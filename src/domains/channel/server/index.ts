/** What other domains may use of channel. */
export { verifyScanToken } from './landing/bind.ts';
export { getVipBenefit, releaseVip, reserveVip } from './vip/budget.ts';
export { channelsByNo, getChannels, getSceneCodes, scanDetail, scansOf, scansOfVisitor, visitorsOf } from './services.ts';
export { createSceneCode, scansOfCodes, switchSceneCode } from './scenes/doctorCode.ts';

/** What other domains may use of channel. */
export { verifyScanToken } from './landing/bind.ts';
export { getVipBenefit, releaseVip, reserveVip, type VipBenefit } from './vip/budget.ts';
export { getChannels, scansOf, scansOfVisitor } from './services.ts';

import { lazy } from 'react';

/**
 * Parts of the drawer 设置, each loaded when it is opened. They bring their own tables, forms and rights:
 *
 * | part | component | who sees it |
 * | --- | --- | --- |
 * | 快捷回复 | `CannedReplies` | everybody who chats; public ones are edited with `consultation.canned.manage` |
 * | 敏感词 | `RiskWords` | `consultation.chat.supervise` |
 * | 导诊台 | `GuidanceDesks` | everybody reads; edited with `consultation.desk.manage` |
 *
 * None takes props; mount each inside a `Suspense`.
 */
export const CannedReplies = lazy(async () => ({ default: (await import('./CannedReplies.tsx')).CannedReplies }));
export const RiskWords = lazy(async () => ({ default: (await import('./RiskWords.tsx')).RiskWords }));
export const GuidanceDesks = lazy(async () => ({ default: (await import('./GuidanceDesks.tsx')).GuidanceDesks }));

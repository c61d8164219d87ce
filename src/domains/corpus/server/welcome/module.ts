import type { FeatureModule } from '#kernel/server/featureModule.ts';
import { auditMessage } from './audit.ts';
import { welcomeExport, welcomeList } from './list.ts';
import { scanConsumer } from './greet.ts';
import { noticeConsumers } from './notices.ts';
import { resolveMessage } from './resolve.ts';
import { addMessage, messageDetail, modifyMessage, removeMessage } from './save.ts';

/** 自动消息: greetings and notices, from their text to their sending. */
export const welcomeModule: FeatureModule = {
  handlers: (kernel) => [
    welcomeList.handler,
    messageDetail,
    addMessage,
    modifyMessage,
    removeMessage,
    auditMessage(kernel),
    resolveMessage,
  ],
  exports: [welcomeExport],
  consumers: [scanConsumer, ...noticeConsumers],
};

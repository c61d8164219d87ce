import type { ServerModuleFactory } from '#kernel/server/module.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { consultationEvents } from '#events/consultation.ts';
import { joinFeatures, type FeatureModule } from '#kernel/server/featureModule.ts';
import { consultationDictionaries } from '../contract/dictionaries.ts';
import { consultationErrors } from '../contract/errors.ts';
import { consultationPermissions } from '../contract/permissions.ts';
import { consultationRoutes } from '../contract/routes.ts';
import { consultationMachines } from '../contract/states.ts';
import { defaultDesk, writeDefaultDesk } from './desks/defaultDesk.ts';
import { registerChatFiles } from './files.ts';
import { joinHooks, readWords } from './hooks.ts';
import { ensureSystemAccount } from './im/accounts/accounts.ts';
import { openImNamespace } from './im/sockets/namespace.ts';
import { registerLiveChats } from './inquiries/blocker.ts';
import { inquiriesModule } from './inquiries/module.ts';
import { participantsModule } from './participants/module.ts';
import { participantReader } from './participants/reader.ts';
import { videosModule } from './videos/module.ts';
import { cannedModule } from './canned/module.ts';
import { messagesModule } from './messages/module.ts';
import { nightlyModule } from './nightly/module.ts';
import { notesModule } from './notes/module.ts';
import { provideMeetings } from './people/meetings.ts';
import { queueSignals } from './queue/signals.ts';
import { riskModule } from './risk/module.ts';
import { statsModule } from './stats/module.ts';
import { registerCallback } from './tencent/callback.ts';
import { startVendor, tencentModule } from './tencent/module.ts';
import { visitsModule } from './visits/module.ts';

const featuresOf = (kernel: Kernel): readonly FeatureModule[] => [
  inquiriesModule,
  participantsModule,
  videosModule,
  visitsModule(kernel),
  cannedModule,
  notesModule,
  riskModule,
  statsModule,
  messagesModule,
  tencentModule,
  nightlyModule,
  {
    http: registerCallback,
    reference: [
      { name: 'consultation.systemAccount', content: 1, write: (tx, now) => ensureSystemAccount(tx, now) },
      { name: 'consultation.defaultDesk', content: defaultDesk.deskCode, write: (tx, now) => writeDefaultDesk(tx, now) },
    ],
  },
];

/** Chats of patient, doctor and assistant, the inquiry that they serve, the assistants' queue, video calls and visit records. */
export const consultationModule: ServerModuleFactory = (kernel: Kernel) => {
  registerChatFiles();
  registerLiveChats();
  provideMeetings();
  joinHooks(kernel);
  return {
    domain: 'consultation',
    permissions: Object.values(consultationPermissions),
    routes: consultationRoutes,
    errors: consultationErrors,
    dictionaries: [...consultationDictionaries, ...consultationMachines.map((machine) => machine.dictionary)],
    events: consultationEvents,
    ...joinFeatures(kernel, featuresOf(kernel)),
    ports: { participants: participantReader },
    sockets(io, bus) {
      const signals = queueSignals(kernel);
      signals.attach(bus);
      const chat = openImNamespace(kernel, io, bus);
      return {
        async close() {
          signals.close();
          await chat.close();
        },
      };
    },
    async started() {
      await readWords(kernel);
      await startVendor(kernel);
    },
  };
};

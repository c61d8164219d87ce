import type { ServerModuleFactory } from '../../../kernel/server/module.ts';
import type { Kernel } from '../../../kernel/server/kernel.ts';
import { consultationEvents } from '../../../events/consultation.ts';
import { consultationDictionaries } from '../contract/dictionaries.ts';
import { consultationErrors } from '../contract/errors.ts';
import { consultationPermissions } from '../contract/permissions.ts';
import { consultationRoutes } from '../contract/routes.ts';
import { consultationMachines } from '../contract/states.ts';
import { defaultDesk, writeDefaultDesk } from './desks/defaultDesk.ts';
import { registerChatFiles } from './files.ts';
import { joinHooks, readWords } from './hooks.ts';
import { ensureSystemAccount } from './im/accounts.ts';
import { openImNamespace } from './im/namespace.ts';
import { registerLiveChats } from './inquiries/blocker.ts';
import { inquiryPart } from './inquiries/wiring.ts';
import { joinParts, type ModulePart } from '../../../kernel/server/modulePart.ts';
import { participantPart } from './participants/wiring.ts';
import { participantReader } from './participants/reader.ts';
import { videoPart } from './videos/wiring.ts';
import { cannedPart } from './canned/wiring.ts';
import { messagePart } from './messages/wiring.ts';
import { nightlyPart } from './nightly/wiring.ts';
import { notePart } from './notes/wiring.ts';
import { provideMeetings } from './people/meetings.ts';
import { queueSignals } from './queue/signals.ts';
import { riskPart } from './risk/wiring.ts';
import { statPart } from './stats/wiring.ts';
import { registerCallback } from './tencent/callback.ts';
import { startVendor, tencentPart } from './tencent/wiring.ts';
import { visitPart } from './visits/wiring.ts';

const partsOf = (kernel: Kernel): readonly ModulePart[] => [
  inquiryPart,
  participantPart,
  videoPart,
  visitPart(kernel),
  cannedPart,
  notePart,
  riskPart,
  statPart,
  messagePart,
  tencentPart,
  nightlyPart,
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
    ...joinParts(kernel, partsOf(kernel)),
    ports: { participants: participantReader },
    http: (app) => registerCallback(app, kernel),
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
    reference: [
      { name: 'consultation.systemAccount', content: 1, write: (tx, now) => ensureSystemAccount(tx, now) },
      { name: 'consultation.defaultDesk', content: defaultDesk.deskCode, write: (tx, now) => writeDefaultDesk(tx, now) },
    ],
    async started() {
      await readWords(kernel);
      await startVendor(kernel);
    },
  };
};

import { callCase, type CallCase } from '#testing/cases.ts';
import {
  addWelcomeMessage,
  auditWelcomeMessage,
  delWelcomeMessage,
  exportWelcomeMessageList,
  modifyWelcomeMessage,
  queryWelcomeMessageDetail,
  queryWelcomeMessageList,
  resolveWelcomeMessage,
} from '../../contract/welcome/calls.ts';
import { fieldsOf, makeMessage } from '../testing/welcomeFixtures.ts';

const NONE = '999999999';

/** Cases of 欢迎语 and 服务通知. */
export const welcomeCases: readonly CallCase[] = [
  callCase(queryWelcomeMessageList, async () => ({})),
  callCase(exportWelcomeMessageList, async (app) => {
    const { name } = await fieldsOf(app);
    await makeMessage(app, { name });
    return { name };
  }),
  callCase(queryWelcomeMessageDetail, async (app) => ({ id: (await makeMessage(app)).id }), { foreign: async () => ({ id: NONE }) }),
  callCase(addWelcomeMessage, (app) => fieldsOf(app)),
  callCase(
    modifyWelcomeMessage,
    async (app) => {
      const { kind: _kind, ...fields } = await fieldsOf(app);
      return { ...(await makeMessage(app)), ...fields };
    },
    {
      foreign: async (app) => {
        const { kind: _kind, ...fields } = await fieldsOf(app);
        return { id: NONE, version: 1, ...fields };
      },
    },
  ),
  callCase(delWelcomeMessage, (app) => makeMessage(app), { foreign: async () => ({ id: NONE, version: 1 }) }),
  callCase(auditWelcomeMessage, async (app) => ({ ...(await makeMessage(app)), action: 'submit' as const }), {
    foreign: async () => ({ id: NONE, version: 1, action: 'submit' as const }),
  }),
  callCase(resolveWelcomeMessage, async () => ({ triggerType: 'GROUP_CREATED' as const })),
];

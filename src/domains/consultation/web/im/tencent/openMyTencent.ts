import { hideMyConversation, queryMyMessages, reportMyRead } from '../../../contract/calls/vendor.ts';
import { sendMine } from '../../wx/access.ts';
import { wireOf, type StorePort, type TencentOptions } from './ports.ts';
import { TencentImClient } from './tencentImClient.ts';

/** Our own record, over the calls of the participant's page. */
const myStore: StorePort = {
  async history({ conversationID, beforeSeq, afterSeq, pageSize }) {
    const { messages, isCompleted } = await sendMine(queryMyMessages, {
      conversationID,
      pageSize,
      ...(beforeSeq === undefined ? {} : { beforeSeq }),
      ...(afterSeq === undefined ? {} : { afterSeq }),
    });
    return { messages: messages.map(wireOf), isCompleted };
  },
  read: async (o) => void (await sendMine(reportMyRead, o)),
  clear: async (o) => void (await sendMine(hideMyConversation, o)),
  search: null,
};

/** The chat of a patient or doctor in the vendor's mode. */
export const openMyTencent = (o: Omit<TencentOptions, 'store'> & { userID: string }): TencentImClient =>
  new TencentImClient({ ...o, store: myStore });

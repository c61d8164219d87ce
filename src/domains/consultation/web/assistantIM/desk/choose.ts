import type { ImClient } from '../../../contract/im/client.ts';
import { operatorIdOf, peerOf, roleOf } from '../../../contract/im/ids.ts';
import type { ConversationID, ImConversation, ImMember, ImMessage } from '../../../contract/im/types.ts';

/** How one reads a conversation: as a member, before taking it, or as a supervisor. */
export type Mode = 'MEMBER' | 'PREVIEW' | 'WATCH';
export interface Chosen {
  conversationID: ConversationID;
  mode: Mode;
  /** Number of the switch; answers of an earlier one are dropped. */
  switchNo: number;
}

/** What the panel asks for itself; the record's sections ask when `opened` mounts them. */
export type PanelSection = 'doctor' | 'inquiry' | 'person' | 'preview';
const PANEL_DELAY_MS = 500;

export interface PanelPorts {
  doctor(operatorId: string): Promise<unknown>;
  inquiry(groupId: string): Promise<unknown>;
  inquiryId(groupId: string): Promise<{ inquiryUserId: string }>;
  /** Masked facts of a patient whose group one has not taken. */
  preview(groupId: string): Promise<unknown>;
}

/** Where the answers go; every method is called for the chosen conversation only. */
export interface ChooseView {
  begin(chosen: Chosen): void;
  profile(conversation: ImConversation | null): void;
  /** Members and messages of the former conversation go. */
  emptied(): void;
  messages(page: { messageList: ImMessage[]; nextReqMessageID: string; isCompleted: boolean }): void;
  members(page: { memberList: ImMember[]; offset: number }): void;
  failed(part: 'profile' | 'messages' | 'members', error: unknown): void;
  /** The panel opens: the patient's record may be asked for by the account's number. */
  opened(suffererOperatorId: string | null): void;
  waiting(section: PanelSection): void;
  section(section: PanelSection, data: unknown): void;
  sectionFailed(section: PanelSection, error: unknown): void;
}

export interface ChooseParts {
  client: Pick<ImClient, 'setMessageRead' | 'getConversationProfile' | 'getMessageList' | 'getGroupMemberList'>;
  panel: PanelPorts;
  view: ChooseView;
  /** @returns what stops the timer. */
  after(ms: number, act: () => void): () => void;
}

/** The conversation was left before its answer was asked for. */
const GONE = Symbol('gone');
type Accounts = { doctor: string | null; patient: string | null };
const accountsOf = (members: readonly ImMember[]): Accounts => {
  const first = (role: string) => members.find(({ userID }) => roleOf(userID) === role)?.userID;
  const [doctor, patient] = [first('DOCTOR'), first('PATIENT')];
  return { doctor: doctor ? operatorIdOf(doctor) : null, patient: patient ? operatorIdOf(patient) : null };
};

/** Choosing a conversation: the order of its calls is law (specification, sections 2 and 7). */
export function makeChooser({ client, panel, view, after }: ChooseParts) {
  let current: Chosen | null = null;
  let accounts: Promise<Accounts> = Promise.resolve({ doctor: null, patient: null });
  let stopTimer = () => {};
  /** In a large group the doctor or the patient may stand behind the first page. */
  const accountsAmong = async (groupID: string, page: { memberList: readonly ImMember[]; offset: number }, wanted: () => boolean) => {
    const members = [...page.memberList];
    let { offset } = page;
    for (;;) {
      const found = accountsOf(members);
      if ((found.doctor !== null && found.patient !== null) || offset === 0 || !wanted()) return found;
      const { data } = await client.getGroupMemberList({ groupID, count: 30, offset });
      members.push(...data.memberList);
      offset = data.offset;
    }
  };
  let switches = 0;

  const asked = new Map<PanelSection, number>();
  const load = async (chosen: Chosen, section: PanelSection): Promise<void> => {
    const no = (asked.get(section) ?? 0) + 1;
    asked.set(section, no);
    // Asked for anew meanwhile: the earlier answer is the older one.
    const isCurrent = () => current === chosen && asked.get(section) === no;
    const peer = peerOf(chosen.conversationID);
    if (!('groupID' in peer)) return;
    view.waiting(section);
    try {
      const data = await answerOf(section, peer.groupID, isCurrent);
      if (data === GONE) return;
      if (isCurrent()) view.section(section, data);
    } catch (error) {
      if (isCurrent()) view.sectionFailed(section, error);
    }
  };
  const answerOf = async (section: PanelSection, groupId: string, isCurrent: () => boolean): Promise<unknown> => {
    switch (section) {
      case 'inquiry':
        return panel.inquiry(groupId);
      case 'preview':
        return panel.preview(groupId);
      case 'person':
        return panel.inquiryId(groupId);
      default: {
        const { doctor } = await accounts;
        if (!isCurrent()) return GONE;
        return doctor === null ? null : panel.doctor(doctor);
      }
    }
  };
  const sectionsOf = ({ conversationID, mode }: Chosen): PanelSection[] => {
    if (mode === 'PREVIEW') return ['preview', 'inquiry'];
    // A guidance desk has no doctor, so none is asked for.
    return conversationID.startsWith('GROUPDZT') ? ['inquiry', 'person'] : ['doctor', 'inquiry', 'person'];
  };

  const choose = async (conversationID: ConversationID, mode: Mode): Promise<void> => {
    const former = current;
    const chosen: Chosen = { conversationID, mode, switchNo: ++switches };
    current = chosen;
    stopTimer();
    const isCurrent = () => current === chosen;
    view.begin(chosen);
    // 1. The former one is read; who only looked into it moves no cursor.
    if (former && former.mode === 'MEMBER' && former.conversationID !== conversationID)
      client.setMessageRead({ conversationID: former.conversationID }).catch(() => {});
    // 2. Profile; a foreign conversation has none of its own.
    if (mode === 'MEMBER') {
      const profile = await client.getConversationProfile(conversationID).then(
        ({ data }) => data.conversation,
        (error: unknown) => (isCurrent() && view.failed('profile', error), null),
      );
      if (!isCurrent()) return;
      view.profile(profile);
    }
    // 3. Members and messages are emptied.
    view.emptied();
    // 4. The newest 15 messages.
    const listed = client.getMessageList({ conversationID }).then(
      ({ data }) => isCurrent() && view.messages(data),
      (error: unknown) => isCurrent() && view.failed('messages', error),
    );
    // 5. For groups 30 members, and the panel after 500 ms.
    const peer = peerOf(conversationID);
    if ('groupID' in peer) {
      const members = client.getGroupMemberList({ groupID: peer.groupID, count: 30 });
      accounts = members.then(({ data }) => accountsAmong(peer.groupID, data, isCurrent));
      accounts.catch(() => {});
      members.then(
        ({ data }) => isCurrent() && view.members(data),
        (error: unknown) => isCurrent() && view.failed('members', error),
      );
      stopTimer = after(PANEL_DELAY_MS, () => {
        if (!isCurrent()) return;
        for (const section of sectionsOf(chosen)) void load(chosen, section);
        if (mode !== 'PREVIEW')
          accounts.then(
            ({ patient }) => isCurrent() && view.opened(patient),
            () => isCurrent() && view.opened(null),
          );
      });
    }
    await listed;
  };

  return {
    choose,
    current: () => current,
    /** Asks for one section again. */
    retry: (section: PanelSection) => (current ? load(current, section) : Promise.resolve()),
    /** Nothing is chosen any more. */
    leave: () => {
      stopTimer();
      current = null;
      switches += 1;
    },
  };
}
export type Chooser = ReturnType<typeof makeChooser>;

import { useEffect, useRef, useState } from 'react';
import { beatMyVideo, endMyVideo, joinMyVideo, openMyVideo, queryMyGroups, queryMySign } from '../../contract/calls/participants.ts';
import { titleBadge } from '../../contract/im/limits.ts';
import { CallCenter } from '../video/center.ts';
import { VideoHost } from '../video/VideoHost.tsx';
import { forgetSession, keepSession, keptSession, provideGone, sendMine, type Entered, type Group } from './access.ts';
import { Chat } from './chat/Chat.tsx';
import { Entry, Message } from './Entry.tsx';
import { GroupList } from './GroupList.tsx';
import { openClient, type WxClient } from './openClient.ts';

const TITLE = '在线问诊';

/**
 * Unread of each conversation, and the sum in the title. A conversation that is not known yet, or whose state moved, has the list read
 * anew.
 */
function useUnread(client: WxClient | null, onMoved: () => void): ReadonlyMap<string, number> {
  const [unread, setUnread] = useState<ReadonlyMap<string, number>>(new Map());
  const moved = useRef(onMoved);
  moved.current = onMoved;
  useEffect(() => {
    if (!client) return;
    const count = async () => {
      const { conversationList } = (await client.getConversationList()).data;
      setUnread(new Map(conversationList.map(({ conversationID, unreadCount }) => [conversationID, unreadCount])));
      document.title = `${titleBadge(client.getTotalUnreadMessageCount())}${TITLE}`;
    };
    const onList = () => void count();
    const onMessages = ({ data }: { data: { type: string }[] }) =>
      data.some(({ type }) => type === 'TIMCustomElem' || type === 'TIMGroupTipElem') && moved.current();
    client.on('onConversationListUpdated', onList);
    client.on('onMessageReceived', onMessages);
    onList();
    return () => {
      client.off('onConversationListUpdated', onList);
      client.off('onMessageReceived', onMessages);
    };
  }, [client]);
  return unread;
}

const GONE = '链接已失效，请向医助索取新链接';
type Me = Pick<Entered, 'userID' | 'userSig' | 'sdkAppID' | 'userRole' | 'nick' | 'runtime'>;

/** The page of a link: check, then the conversations that it opens. */
export function Consult() {
  const [ticket] = useState(() => new URLSearchParams(location.search).get('ticket') ?? keptSession(null)?.ticket ?? '');
  const [entered, setEntered] = useState<Me | null>(() => keptSession(ticket));
  // Whoever sees the address afterwards, in the history or on a picture of the screen, has no key to the conversations.
  useEffect(() => {
    if (entered) history.replaceState(history.state, '', location.pathname);
  }, [entered]);
  const [groups, setGroups] = useState<readonly Group[] | null>(null);
  const [gone, setGone] = useState(false);
  useEffect(
    () =>
      provideGone(() => {
        forgetSession();
        setGone(true);
      }),
    [],
  );
  useEffect(() => {
    if (!entered || groups !== null) return;
    // A reload: the session is known, the sign may be old.
    Promise.all([sendMine(queryMySign, {}), sendMine(queryMyGroups, {})]).then(
      ([sign, list]) => (setEntered({ ...entered, ...sign }), setGroups(list)),
      () => {},
    );
  }, [entered, groups]);
  if (gone) return <Message title={GONE} />;
  if (ticket === '') return <Message title={GONE} text="请从短信或医助发送的链接进入" />;
  if (!entered) {
    return <Entry ticket={ticket} onEntered={(answer) => (keepSession(ticket, answer), setGroups(answer.groups), setEntered(answer))} />;
  }
  return groups === null ? <Message title="正在打开…" /> : <Room me={entered} first={groups} onGone={() => setGone(true)} />;
}

function makeCenter(client: WxClient): CallCenter {
  return new CallCenter({
    client,
    userID: client.userID,
    screen: false,
    calls: {
      open: (groupId) => sendMine(openMyVideo, { groupId }),
      join: (roomId) => sendMine(joinMyVideo, { roomId }),
      beat: (beat) => sendMine(beatMyVideo, beat),
      end: (roomId) => sendMine(endMyVideo, { roomId }),
    },
  });
}
interface Open {
  client: WxClient;
  center: CallCenter;
}

/** Chat client and calls live as long as the page; made in an effect, because React may mount twice. */
function useClient(me: Me, onGone: () => void): { open: Open | null; online: boolean } {
  const [open, setOpen] = useState<Open | null>(null);
  const [online, setOnline] = useState(true);
  const gone = useRef(onGone);
  gone.current = onGone;
  const latest = useRef(me);
  latest.current = me;
  useEffect(() => {
    let stopped = false;
    let end = (): void => {};
    void openClient(latest.current).then(
      (client) => {
        if (stopped) return void client.destroy();
        const center = makeCenter(client);
        end = () => {
          center.stop();
          void client.destroy();
        };
        client.on('netStateChange', ({ data }) => setOnline(data.state === 'connected'));
        // Taken back while it was open, or opened elsewhere: the session says which.
        client.on(
          'kickedOut',
          () =>
            void sendMine(queryMySign, {}).then(
              () => location.reload(),
              () => gone.current(),
            ),
        );
        client.signIn().then(
          () => setOpen({ client, center }),
          () => {},
        );
      },
      () => {},
    );
    return () => {
      stopped = true;
      end();
    };
  }, [me.userID]);
  return { open, online };
}

function Room({ me, first, onGone }: { me: Me; first: readonly Group[]; onGone(): void }) {
  const [groups, setGroups] = useState(first);
  const [chosen, setChosen] = useState<string | null>(() => (first.length === 1 ? first[0]!.groupId : null));
  const { open, online } = useClient(me, onGone);
  const refresh = () => void sendMine(queryMyGroups, {}).then(setGroups, () => {});
  const unread = useUnread(open?.client ?? null, refresh);
  if (!open) return <Message title="正在连接…" />;
  const group = groups.find(({ groupId }) => groupId === chosen);
  return (
    <div className={group ? 'wx-room wx-chosen' : 'wx-room'}>
      {groups.length !== 1 && <GroupList groups={groups} unread={unread} role={me.userRole} chosen={chosen} onChoose={setChosen} />}
      {group ? (
        <Chat
          key={group.groupId}
          client={open.client}
          center={open.center}
          group={group}
          online={online}
          onBack={groups.length > 1 ? () => setChosen(null) : null}
          onChanged={refresh}
        />
      ) : (
        <div className="wx-empty">请选择会话</div>
      )}
      <VideoHost center={open.center} />
    </div>
  );
}

import { useDeskState } from '../desk/useDesk.ts';

export interface Blocked {
  /** Nothing may be sent. */
  blocks: boolean;
  /** Why, or what happens to what is sent now; null = all is well. */
  text: string | null;
}

/** Why one cannot write, in the order in which it matters. */
export function blockedOf(state: {
  mode: string | undefined;
  isDissolved: boolean;
  isMuted: boolean;
  isKicked: boolean;
  isOnline: boolean;
}): Blocked {
  if (state.isKicked) return { blocks: true, text: '已在其他设备登录' };
  if (state.mode !== 'MEMBER') return { blocks: true, text: '旁听中不能发言，请先接入会话' };
  if (state.isDissolved) return { blocks: true, text: '该会话已解散，仅可查看历史' };
  if (state.isMuted) return { blocks: true, text: '您已被限制发言' };
  return { blocks: false, text: state.isOnline ? null : '网络已断开，消息将在恢复后发送' };
}

export function useBlocked(): Blocked {
  const mode = useDeskState((state) => state.chat?.chosen.mode);
  const isDissolved = useDeskState((state) => state.chat?.conversation?.isDissolved ?? false);
  const isKicked = useDeskState((state) => state.kicked !== null);
  const isOnline = useDeskState((state) => state.net === 'connected');
  const me = useDeskState((state) => state.runtime?.assistant.operatorId);
  const isMuted = useDeskState(
    (state) => (state.chat?.members.find(({ userID }) => userID === `A${me}`)?.muteUntil ?? 0) * 1000 > Date.now(),
  );
  return blockedOf({ mode, isDissolved, isMuted, isKicked, isOnline });
}

/** Numbers of the chat; the server takes others only for measurements. */
export interface ImLimits {
  recallSec: number;
  messageBytes: number;
  user: { count: number; seconds: number };
  group: { count: number; seconds: number };
  engine: { count: number; seconds: number };
  connections: { user: number; address: number; node: number };
}

export const imLimits: ImLimits = {
  recallSec: 120,
  messageBytes: 12 * 1024,
  user: { count: 20, seconds: 10 },
  group: { count: 40, seconds: 1 },
  engine: { count: 5, seconds: 1 },
  connections: { user: 5, address: 60, node: 5_000 },
};

export const PAGE = { messages: 15, members: 30, conversations: 50, search: 20 } as const;
/** Counting stops here; 100 means 100 or more. */
export const UNREAD_CAP = 100;
export const EVENT_DAYS = 7;
export const SYNC_LIMIT = 500;

const MIB = 1024 * 1024;
export const mediaRules = {
  image: { bytes: 20 * MIB, types: ['jpg', 'jpeg', 'png', 'gif', 'webp', 'heic'] },
  audio: { bytes: 20 * MIB, types: ['mp3', 'm4a', 'amr', 'wav', 'webm'] },
  video: { bytes: 100 * MIB, types: ['mp4', 'mov'] },
  file: {
    bytes: 100 * MIB,
    types: [
      'pdf',
      'doc',
      'docx',
      'xls',
      'xlsx',
      'txt',
      'zip',
      'jpg',
      'jpeg',
      'png',
      'gif',
      'webp',
      'heic',
      'mp3',
      'm4a',
      'amr',
      'wav',
      'mp4',
      'mov',
    ],
  },
} as const;
export type MediaKind = keyof typeof mediaRules;

/** Why a file may not be sent; null when it may. */
export function mediaFault(kind: MediaKind, file: { name: string; size: number }): 'FILE_SIZE' | 'FILE_TYPE' | 'IMAGE_TYPE' | null {
  const ending = file.name.toLowerCase().split('.').at(-1) ?? '';
  const rule = mediaRules[kind];
  if (!rule.types.some((type) => type === ending)) return kind === 'image' ? 'IMAGE_TYPE' : 'FILE_TYPE';
  return file.size > rule.bytes ? 'FILE_SIZE' : null;
}

/** `[99+]` before the page's title, `[12]`, or nothing. */
export const titleBadge = (unread: number): string => (unread <= 0 ? '' : unread > 99 ? '[99+]' : `[${unread}]`);

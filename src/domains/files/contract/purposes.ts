/** What a kind of use permits. Sizes in bytes; `count` = files of one upload. */
export interface Purpose {
  code: string;
  label: string;
  /** Extensions, lower case, without the dot. */
  types: readonly string[];
  maxSize: number;
  count: number;
  /** Reads are logged and watermarked. */
  sensitive: boolean;
  /** Days that an unlinked upload is kept; default 1. */
  keepDays?: number;
  /** Pictures are made smaller in the browser before the upload; never for evidence. */
  compress?: boolean;
  /** Written by the product alone; nobody uploads for it. */
  system?: boolean;
}

const MB = 1024 * 1024;

/** Purposes that are known before any domain adds its own (files.md R1). */
export const builtInPurposes: readonly Purpose[] = [
  { code: 'EVIDENCE', label: '业务材料（证件、病历、票据）', types: ['jpg', 'png', 'pdf'], maxSize: 20 * MB, count: 30, sensitive: true },
  { code: 'SIGNED', label: '签署文件', types: ['pdf'], maxSize: 20 * MB, count: 5, sensitive: true },
  { code: 'PAY_PROOF', label: '付款凭证、回单', types: ['jpg', 'png', 'pdf', 'xlsx'], maxSize: 20 * MB, count: 10, sensitive: true },
  { code: 'LICENCE', label: '资质证照', types: ['jpg', 'png', 'pdf'], maxSize: 10 * MB, count: 10, sensitive: false },
  {
    code: 'CHAT_MEDIA',
    label: '聊天图片、语音、视频',
    types: ['jpg', 'png', 'gif', 'webp', 'mp3', 'm4a', 'amr', 'mp4'],
    maxSize: 50 * MB,
    count: 9,
    sensitive: true,
  },
  {
    code: 'CONTENT',
    label: '运营图片、素材',
    types: ['jpg', 'png', 'webp', 'gif', 'mp4', 'pdf'],
    maxSize: 20 * MB,
    count: 20,
    sensitive: false,
    compress: true,
  },
  { code: 'IMPORT', label: '导入表格', types: ['xlsx', 'csv'], maxSize: 20 * MB, count: 1, sensitive: true, keepDays: 30 },
  { code: 'EXPORT', label: '导出结果', types: ['xlsx', 'csv', 'pdf', 'zip'], maxSize: 4096 * MB, count: 1, sensitive: true, system: true },
  { code: 'BANK_FILE', label: '银行代付文件及回盘', types: ['xlsx', 'csv', 'txt'], maxSize: 20 * MB, count: 1, sensitive: true },
  { code: 'ANCHOR', label: '日志锚点', types: ['json'], maxSize: MB, count: 1, sensitive: false, system: true },
];

/** `照片.JPEG` → `jpg`; empty where there is none. */
export function extensionOf(fileName: string): string {
  const found = /\.([^.\\/]{1,10})$/.exec(fileName)?.[1]?.toLowerCase() ?? '';
  return found === 'jpeg' ? 'jpg' : found;
}

/** `20971520` → `20MB`. */
export const showSize = (bytes: number) => (bytes >= MB ? `${Math.floor((bytes / MB) * 10) / 10}MB` : `${Math.ceil(bytes / 1024)}KB`);

/** Uploads up to this size go in one PUT; larger ones in parts. */
export const SINGLE_LIMIT = 8 * MB;
export const PART_SIZE = 5 * MB;

/** Sizes of the PUTs of a file, in order. */
export function partSizes(size: number): number[] {
  if (size <= SINGLE_LIMIT) return [size];
  const sizes = Array.from({ length: Math.floor(size / PART_SIZE) }, () => PART_SIZE);
  return size % PART_SIZE === 0 ? sizes : [...sizes, size % PART_SIZE];
}

import type { Call } from '../../contract/call.ts';
import { slot } from '../slots.tsx';

/** What the list beside an export knows. */
interface ExportView {
  filters: object;
  /** The order in which the rows stand, where it is not the list's own. */
  orderBy?: string | undefined;
  /** The filters in words, for the sheet 说明; asked for when it is exported, when pickers know their names. */
  filterText?(): string;
  /** Absent where the list does not count what it found (cursor lists). */
  total?: number;
  pageNo?: number;
  pageSize?: number;
}

export interface ExportChoice {
  format: 'XLSX' | 'CSV';
  plain: boolean;
  /** Why in plain; empty where it is masked. */
  reason: string;
}

export interface ExportButtonProps {
  /** The list's export call (shape `file`, `exportFields` in its input). */
  call: Call;
  view: ExportView;
  /** Shown to who holds it. */
  permission?: string | { code: string };
  label?: string;
  /**
   * What is shown names the columns itself: only the format is chosen, and whether sensitive values, where there are any, stand in plain.
   */
  asked?: { sensitive: boolean; input(choice: ExportChoice): object };
}

export interface ImportWizardProps {
  importerCode: string;
  open: boolean;
  onClose(): void;
  /** Further fields that the importer takes. */
  params?: Readonly<Record<string, unknown>>;
  /** Goes on with a task instead of a new upload. */
  importTaskId?: string;
  /** Rows were written or taken back: lists show something else now. */
  onChanged?(): void;
}

export interface UploadedFile {
  fileId: string;
  fileName: string;
  detectedType: string | null;
  size: number | null;
  pageCount: number | null;
}

export interface UploadProps {
  /** Code of the purpose; decides types, size and count. */
  purpose: string;
  value?: readonly UploadedFile[];
  onChange?(files: readonly UploadedFile[]): void;
  /** Fewer files than the purpose allows. */
  max?: number;
  disabled?: boolean;
  /** Text of the drop area. */
  hint?: string;
  /** Pictures of other proportions are cut to those of their place, in pixels, before they are sent. */
  crop?: { width: number; height: number } | undefined;
}

export interface FilePreviewProps {
  /** Null = closed. */
  files: readonly Omit<UploadedFile, 'size'>[] | null;
  /** First file shown. */
  index?: number;
  ownerType?: string;
  ownerId?: string;
  onClose(): void;
}

/** One page of a file inside a page: whoever shows it holds zoom, turn and page. */
export interface FileStageProps {
  fileId: string;
  label: string;
  page: number;
  /** 1 = as wide as its place. */
  scale: number;
  /** Degrees, a multiple of 90. */
  turn: number;
  ownerType?: string;
  ownerId?: string;
  /** Told once it is known how many pages the file has. */
  onPages?(count: number): void;
}

/** Places that the domain files fills. */
export const exportPlace = slot<ExportButtonProps>('exportButton');
export const importPlace = slot<ImportWizardProps>('importWizard');
export const uploadPlace = slot<UploadProps>('upload');
export const previewPlace = slot<FilePreviewProps>('filePreview');
export const stagePlace = slot<FileStageProps>('fileStage');

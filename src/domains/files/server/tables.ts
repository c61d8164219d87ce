// Written by `npm run db:types` from the migrated database; do not edit.
import type { ColumnType, Generated, GeneratedAlways } from 'kysely';

export interface FilesExportColumnPreset {
  id: GeneratedAlways<string>;
  userId: string;
  source: string;
  name: string;
  columns: ColumnType<unknown, string, string>;
  updatedAt: string;
}

export interface FilesExportTask {
  id: GeneratedAlways<string>;
  taskNo: string;
  name: string;
  source: string;
  sourceTitle: string;
  routeKey: string;
  params: ColumnType<unknown, string, string>;
  filterText: string;
  columns: ColumnType<unknown, string, string>;
  scopeSnapshot: ColumnType<unknown, string, string>;
  userRoleId: string;
  roleName: string;
  requestHash: string;
  format: 'XLSX' | 'CSV' | 'PDF' | 'ZIP';
  plain: Generated<boolean>;
  plainReason: string | null;
  state: 'QUEUED' | 'RUNNING' | 'SUCCESS' | 'FAILED' | 'CANCELLED' | 'EXPIRED';
  progressBp: Generated<number>;
  rowsDone: Generated<number>;
  rowsTotal: number | null;
  queuedAt: string;
  startedAt: string | null;
  heartbeatAt: string | null;
  finishedAt: string | null;
  attempt: Generated<number>;
  retries: Generated<number>;
  errorCode: string | null;
  errorMessage: string | null;
  traceId: string;
  fileId: string | null;
  rowCount: number | null;
  fileSize: string | null;
  downloadCount: Generated<number>;
  lastDownloadAt: string | null;
  expiresAt: string | null;
  passwordCipher: string | null;
  passwordShownAt: string | null;
  version: Generated<number>;
  createdAt: string;
  createdBy: string;
  createdName: string;
}

export interface FilesFileLink {
  id: GeneratedAlways<string>;
  fileId: string;
  ownerType: string;
  ownerId: string;
  field: string;
  linkedAt: string;
  unlinkedAt: string | null;
}

export interface FilesFileObject {
  id: GeneratedAlways<string>;
  fileNo: string;
  purpose: string;
  fileName: string;
  declaredType: string;
  declaredSize: string;
  declaredSha256: string | null;
  detectedType: string | null;
  size: string | null;
  sha256: string | null;
  phash: string | null;
  phashBucket: number | null;
  width: number | null;
  height: number | null;
  pageCount: number | null;
  storageKey: string;
  sensitive: boolean;
  state: 'PENDING' | 'CHECKING' | 'READY' | 'REJECTED' | 'EXPIRED' | 'DELETED';
  rejectCode: string | null;
  rejectReason: string | null;
  scanState: 'NONE' | 'CLEAN' | 'INFECTED';
  source: 'UPLOAD' | 'EXPORT' | 'IMPORT_RESULT' | 'SYSTEM' | 'PUSH';
  retainUntil: string | null;
  legalHold: Generated<boolean>;
  encrypted: Generated<boolean>;
  checkedAt: string | null;
  deletedAt: string | null;
  deletedBy: string | null;
  bytesRemovedAt: string | null;
  version: Generated<number>;
  createdAt: string;
  createdBy: string | null;
  createdName: string | null;
}

export interface FilesImportCellError {
  id: GeneratedAlways<string>;
  taskId: string;
  rowNo: number;
  columnKey: string;
  columnLetter: string;
  columnLabel: string;
  value: string;
  severity: 'ERROR' | 'WARN';
  message: string;
}

export interface FilesImportRow {
  taskId: string;
  rowNo: number;
  rawCipher: string;
  parsedCipher: string;
  beforeCipher: string | null;
  action: 'NEW' | 'CHANGE' | 'SAME' | 'ERROR';
  hasWarning: Generated<boolean>;
  targetId: string | null;
  targetVersion: number | null;
}

export interface FilesImportTask {
  id: GeneratedAlways<string>;
  batchNo: string;
  importerCode: string;
  importerLabel: string;
  templateVersion: string;
  fileId: string;
  fileName: string;
  scopeKey: string;
  rowsHash: string;
  params: ColumnType<unknown, string, string>;
  mode: 'ALL_OR_NOTHING' | 'VALID_ONLY';
  userRoleId: string;
  totalRows: Generated<number>;
  okRows: Generated<number>;
  errorRows: Generated<number>;
  errorCells: Generated<number>;
  warnRows: Generated<number>;
  newRows: Generated<number>;
  changedRows: Generated<number>;
  sameRows: Generated<number>;
  state: 'VALIDATING' | 'INVALID' | 'READY' | 'COMMITTING' | 'DONE' | 'FAILED' | 'CANCELLED' | 'UNDONE';
  progressBp: Generated<number>;
  rowsDone: Generated<number>;
  attempt: Generated<number>;
  heartbeatAt: string | null;
  validatedAt: string | null;
  errorCode: string | null;
  errorMessage: string | null;
  traceId: string;
  resultFileId: string | null;
  committedAt: string | null;
  committedBy: string | null;
  undoneAt: string | null;
  undoneBy: string | null;
  undoReason: string | null;
  undoUntil: string | null;
  rowsDroppedAt: string | null;
  version: Generated<number>;
  createdAt: string;
  createdBy: string;
  createdName: string;
}

export interface FilesRendition {
  id: GeneratedAlways<string>;
  fileId: string;
  kind: 'THUMB' | 'WEB' | 'PDF_PAGE';
  page: Generated<number>;
  storageKey: string;
  contentType: string;
  width: number;
  height: number;
  size: string;
  createdAt: string;
}

export interface FilesUploadSession {
  id: GeneratedAlways<string>;
  fileId: string;
  partSize: number;
  parts: ColumnType<unknown, string, string>;
  expiresAt: string;
  startedAt: string;
  sessionId: string | null;
  voidedAt: string | null;
}

export interface FilesTables {
  filesExportColumnPreset: FilesExportColumnPreset;
  filesExportTask: FilesExportTask;
  filesFileLink: FilesFileLink;
  filesFileObject: FilesFileObject;
  filesImportCellError: FilesImportCellError;
  filesImportRow: FilesImportRow;
  filesImportTask: FilesImportTask;
  filesRendition: FilesRendition;
  filesUploadSession: FilesUploadSession;
}

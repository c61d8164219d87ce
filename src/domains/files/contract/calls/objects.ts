import * as z from 'zod/mini';
import { access } from '#kernel/contract/call.ts';
import { flag, id, idOut, instant, instantOut, numberOrNull, several, text, textOrNull, int4 } from '#kernel/contract/fields.ts';
import { field } from '#kernel/contract/field.ts';
import { declareService } from '#kernel/contract/service.ts';
import { sortedBy } from '#kernel/contract/sorting.ts';
import { fileSources } from '../dictionaries.ts';
import { filePermissions } from '../permissions.ts';
import { fileMachine } from '../states.ts';

const service = declareService('FileService');
const state = fileMachine.dictionary.schema;
const sha256 = z.string().check(z.regex(/^[0-9a-f]{64}$/, '文件摘要格式不正确'));
const purposeCode = field('用途', z.string('请选择用途').check(z.regex(/^[A-Z][A-Z0-9_]{1,39}$/, '用途不正确')));

const upload = z.strictObject({
  fileId: idOut,
  mode: z.enum(['SINGLE', 'MULTI']),
  /** The same bytes are known already: nothing is to be sent. */
  instant: z.boolean(),
  /** Address of the single PUT; empty for several parts. */
  url: z.string(),
  headers: z.record(z.string(), z.string()),
  partSize: z.int(),
  parts: z.array(z.strictObject({ no: z.int(), size: z.int(), url: z.string() })),
  expiresAt: z.string(),
});

export const getPresignedUrl = service.act({
  operation: 'getPresignedUrl',
  label: '申请上传文件',
  access: access.owner(),
  ratePerMinute: 60,
  input: {
    purpose: purposeCode,
    files: field(
      '文件',
      z
        .array(
          z.strictObject({
            fileName: text('文件名', 255, 1),
            size: field('文件大小', z.int('文件大小须为整数').check(z.minimum(1, '文件为空'))),
            contentType: field('文件类型', z.string('缺少文件类型').check(z.maxLength(120, '文件类型过长'))),
            sha256: field('文件摘要', z.optional(sha256)),
          }),
          '请选择文件',
        )
        .check(z.minLength(1, '请选择文件'), z.maxLength(20, '一次最多20个文件')),
    ),
  },
  output: z.array(upload),
});

export const renewPartUrl = service.act({
  operation: 'renewPartUrl',
  label: '重新申请分片地址',
  access: access.session,
  ratePerMinute: 120,
  input: {
    fileId: field('文件', id),
    partNos: field('分片号', z.array(int4('分片号不正确'), '请选择分片').check(z.minLength(1, '请选择分片'), z.maxLength(100, '分片过多'))),
  },
  output: z.strictObject({
    /** Parts that are there already and need not be sent. */
    present: z.array(z.int()),
    headers: z.record(z.string(), z.string()),
    parts: z.array(z.strictObject({ no: z.int(), size: z.int(), url: z.string() })),
    expiresAt: z.string(),
  }),
});

const uploadedFile = z.strictObject({
  fileId: idOut,
  fileNo: z.string(),
  fileName: z.string(),
  detectedType: textOrNull,
  size: numberOrNull,
  sha256: textOrNull,
  state,
  width: numberOrNull,
  height: numberOrNull,
  pageCount: numberOrNull,
});

export const completeUpload = service.act({
  operation: 'completeUpload',
  label: '完成上传文件',
  access: access.session,
  input: {
    fileId: field('文件', id),
    parts: field(
      '分片',
      z.optional(
        z
          .array(
            z.strictObject({
              no: field('分片号', int4('分片号不正确')),
              etag: field('分片标识', z.optional(z.string().check(z.maxLength(200, '分片标识过长')))),
            }),
          )
          .check(z.maxLength(100, '分片过多')),
      ),
    ),
  },
  output: uploadedFile,
});

export const queryFileState = service.read({
  operation: 'queryFileState',
  label: '查询文件状态',
  access: access.session,
  input: { fileIds: field('文件', z.array(id, '请选择文件').check(z.minLength(1, '请选择文件'), z.maxLength(50, '一次最多50个文件'))) },
  output: z.array(z.strictObject({ fileId: idOut, state, rejectCode: textOrNull, rejectReason: textOrNull })),
});

const owner = { ownerType: z.optional(text('单据类型', 60, 1)), ownerId: z.optional(text('单据编号', 60, 1)) };

export const getFileUrl = service.act({
  operation: 'getFileUrl',
  label: '查看文件',
  access: access.session,
  log: 'REVEAL',
  input: {
    fileId: field('文件', id),
    use: field('查看方式', z.enum(['PREVIEW', 'THUMB', 'DOWNLOAD'], '查看方式不正确')),
    ...owner,
    page: field('页码', z.optional(int4('页码须为整数').check(z.minimum(1, '页码从1开始')))),
  },
  output: z.strictObject({
    /** Good for 60 seconds and for this session: the request carries `Authorization`. */
    url: z.string(),
    fileName: z.string(),
    contentType: z.string(),
    watermark: z.boolean(),
    pageCount: numberOrNull,
    /** The original may be downloaded. */
    original: z.boolean(),
  }),
});

export const queryFileList = service.read({
  operation: 'queryFileList',
  label: '查询单据附件',
  access: access.session,
  input: { ownerType: text('单据类型', 60, 1), ownerId: text('单据编号', 60, 1) },
  output: z.array(
    z.strictObject({
      fileId: idOut,
      fileNo: z.string(),
      fileName: z.string(),
      field: z.string(),
      detectedType: textOrNull,
      size: numberOrNull,
      pageCount: numberOrNull,
      state,
      linkedAt: z.string(),
    }),
  ),
});

/** GET by the specification; refused without the header `Authorization`, so that a link cannot trigger it. */
export const deleteFile = service.act({
  operation: 'deleteFile',
  label: '删除文件',
  method: 'GET',
  access: access.session,
  message: '删除成功!',
  input: { fileId: field('文件', id) },
  output: z.strictObject({}),
});

const fileRow = z.strictObject({
  fileId: idOut,
  fileNo: field('文件编号', z.string()),
  fileName: field('文件名', z.string()),
  purpose: z.string(),
  purposeLabel: field('用途', z.string()),
  detectedType: field('类型', textOrNull),
  size: field('大小', numberOrNull),
  state,
  rejectReason: textOrNull,
  source: field('来源', fileSources.schema),
  createdBy: textOrNull,
  createdName: field('上传人', textOrNull),
  createdAt: field('上传时间', instantOut),
  links: field('引用', z.array(z.strictObject({ ownerType: z.string(), ownerId: z.string(), field: z.string() }))),
  retainUntil: field('保存期至', textOrNull),
  legalHold: z.boolean(),
});

export const queryFileObjectList = service.list({
  operation: 'queryFileObjectList',
  label: '查询文件',
  access: filePermissions['object.manage'],
  filter: {
    ...sortedBy('fileNo', 'createdAt'),
    fileNo: z.optional(text('文件编号', 30)),
    fileName: z.optional(text('文件名', 120)),
    purpose: field('用途', z.optional(purposeCode)),
    state: z.optional(several(state)),
    createdBy: z.optional(text('上传人', 40)),
    from: field('开始时间', z.optional(instant)),
    to: field('结束时间', z.optional(instant)),
    linked: field('已被引用', z.optional(flag)),
  },
  output: fileRow,
});

export const queryFilePurposes = service.read({
  operation: 'queryFilePurposes',
  label: '查询文件用途',
  access: access.session,
  input: {},
  output: z.array(
    z.strictObject({
      code: z.string(),
      label: z.string(),
      types: z.array(z.string()),
      maxSize: z.number(),
      count: z.number(),
      compress: z.boolean(),
    }),
  ),
});

/** Header line of the download centre. */
export const queryStorageUsage = service.read({
  operation: 'queryStorageUsage',
  label: '查询存储用量',
  access: filePermissions['task.manage'],
  input: {},
  output: z.strictObject({
    kind: z.enum(['disk', 's3']),
    usedBytes: numberOrNull,
    exportsToday: z.int(),
    queued: z.int(),
    running: z.int(),
  }),
});

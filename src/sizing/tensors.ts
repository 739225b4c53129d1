/** Elements by the dtype they are stored in, as safetensors headers have it. */
export type Tensors = Readonly<Record<string, number>>;

/** Bytes an element takes. */
const DTYPE_BYTES: Readonly<Record<string, number>> = {
  F64: 8,
  I64: 8,
  U64: 8,
  C64: 8,
  F32: 4,
  I32: 4,
  U32: 4,
  BF16: 2,
  F16: 2,
  I16: 2,
  U16: 2,
  I8: 1,
  U8: 1,
  BOOL: 1,
  F8: 1,
  F8_E4M3: 1,
  F8_E5M2: 1,
  F8_E8M0: 1,
  F6_E2M3: 0.75,
  F6_E3M2: 0.75,
  I4: 0.5,
  U4: 0.5,
  F4: 0.5,
};

/** A dtype that nobody here knows takes as much as the largest. */
const LARGEST = 8;

export function dtypeBytes(dtype: string): number {
  return Object.hasOwn(DTYPE_BYTES, dtype) ? (DTYPE_BYTES[dtype] ?? LARGEST) : LARGEST;
}

export function storedBytes(tensors: Tensors): number {
  return sum(Object.entries(tensors).map(([dtype, count]) => count * dtypeBytes(dtype)));
}

const PLAIN = /^(?:F64|F32|F16|BF16)$/;

/** Whether more than a few elements are something else than plain numbers: words of several weights each. */
export function hasPackedWords(tensors: Tensors): boolean {
  const plain = Object.entries(tensors).filter(([dtype]) => PLAIN.test(dtype));
  const total = sum(Object.values(tensors));
  return sum(plain.map(([, count]) => count)) < total * 0.99;
}

export function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

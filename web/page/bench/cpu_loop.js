/** C = A · B on one CPU core: n x n matrices, row after row in arrays of float32. */
export function multiply(a, b, c, n) {
  for (let row = 0; row < n; row++) {
    for (let col = 0; col < n; col++) {
      let sum = 0;
      for (let k = 0; k < n; k++) {
        sum += a[row * n + k] * b[k * n + col];
      }
      c[row * n + col] = sum;
    }
  }
}

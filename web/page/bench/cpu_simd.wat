;; C = A · B on one CPU core, four rows by four columns at a time. n is a multiple of 4.
;; panel: room for 4 n numbers. Four columns of B are copied there once, side by side, and then serve all rows.
(module
  (memory (export "memory") 1)
  (func (export "multiply") (param $a i32) (param $b i32) (param $c i32) (param $panel i32) (param $n i32)
    (local $row i32) (local $col i32) (local $k i32)
    (local $line i32)                             ;; bytes from one row to the next
    (local $at_a i32) (local $at_b i32) (local $at_c i32)
    (local $right v128)                           ;; four neighbouring columns of B
    (local $sum0 v128) (local $sum1 v128) (local $sum2 v128) (local $sum3 v128)
    (local.set $line (i32.shl (local.get $n) (i32.const 2)))
    (loop $columns
      (local.set $at_b (i32.add (local.get $b) (i32.shl (local.get $col) (i32.const 2))))
      (local.set $k (i32.const 0))
      (loop $copies
        (v128.store (i32.add (local.get $panel) (i32.shl (local.get $k) (i32.const 4))) (v128.load (local.get $at_b)))
        (local.set $at_b (i32.add (local.get $at_b) (local.get $line)))
        (local.set $k (i32.add (local.get $k) (i32.const 1)))
        (br_if $copies (i32.lt_u (local.get $k) (local.get $n))))
      (local.set $row (i32.const 0))
      (loop $rows
        (local.set $sum0 (v128.const i32x4 0 0 0 0))
        (local.set $sum1 (v128.const i32x4 0 0 0 0))
        (local.set $sum2 (v128.const i32x4 0 0 0 0))
        (local.set $sum3 (v128.const i32x4 0 0 0 0))
        (local.set $at_a (i32.add (local.get $a) (i32.mul (local.get $row) (local.get $line))))
        (local.set $at_b (local.get $panel))
        (local.set $k (i32.const 0))
        (loop $products
          (local.set $right (v128.load (local.get $at_b)))
          (local.set $sum0 (f32x4.add (local.get $sum0) (f32x4.mul (local.get $right)
            (v128.load32_splat (local.get $at_a)))))
          (local.set $sum1 (f32x4.add (local.get $sum1) (f32x4.mul (local.get $right)
            (v128.load32_splat (i32.add (local.get $at_a) (local.get $line))))))
          (local.set $sum2 (f32x4.add (local.get $sum2) (f32x4.mul (local.get $right)
            (v128.load32_splat (i32.add (local.get $at_a) (i32.mul (local.get $line) (i32.const 2)))))))
          (local.set $sum3 (f32x4.add (local.get $sum3) (f32x4.mul (local.get $right)
            (v128.load32_splat (i32.add (local.get $at_a) (i32.mul (local.get $line) (i32.const 3)))))))
          (local.set $at_a (i32.add (local.get $at_a) (i32.const 4)))
          (local.set $at_b (i32.add (local.get $at_b) (i32.const 16)))
          (local.set $k (i32.add (local.get $k) (i32.const 1)))
          (br_if $products (i32.lt_u (local.get $k) (local.get $n))))
        (local.set $at_c (i32.add (local.get $c) (i32.add
          (i32.mul (local.get $row) (local.get $line)) (i32.shl (local.get $col) (i32.const 2)))))
        (v128.store (local.get $at_c) (local.get $sum0))
        (v128.store (i32.add (local.get $at_c) (local.get $line)) (local.get $sum1))
        (v128.store (i32.add (local.get $at_c) (i32.mul (local.get $line) (i32.const 2))) (local.get $sum2))
        (v128.store (i32.add (local.get $at_c) (i32.mul (local.get $line) (i32.const 3))) (local.get $sum3))
        (local.set $row (i32.add (local.get $row) (i32.const 4)))
        (br_if $rows (i32.lt_u (local.get $row) (local.get $n))))
      (local.set $col (i32.add (local.get $col) (i32.const 4)))
      (br_if $columns (i32.lt_u (local.get $col) (local.get $n))))))

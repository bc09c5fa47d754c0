// A nest of loops takes time in proportion to its depth, not twice as long for every level.
// RUN: tile-opt %s --tilegpu-insert-barriers | FileCheck %s

// CHECK: tilegpu.barrier
// CHECK-NEXT: tile.reduce
#l = #tilegpu.layout<register = [], lane = [1, 2, 4, 8, 16], warp = [32, 64]>
func.func @nest(%n: i32) attributes {tilegpu.num_warps = 4 : i32} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %x = arith.constant dense<1.0> : tensor<128xf32, #l>
  scf.for %i0 = %c0 to %n step %c1 : i32 {
    scf.for %i1 = %c0 to %n step %c1 : i32 {
      scf.for %i2 = %c0 to %n step %c1 : i32 {
        scf.for %i3 = %c0 to %n step %c1 : i32 {
          scf.for %i4 = %c0 to %n step %c1 : i32 {
            scf.for %i5 = %c0 to %n step %c1 : i32 {
              scf.for %i6 = %c0 to %n step %c1 : i32 {
                scf.for %i7 = %c0 to %n step %c1 : i32 {
                  scf.for %i8 = %c0 to %n step %c1 : i32 {
                    scf.for %i9 = %c0 to %n step %c1 : i32 {
                      scf.for %i10 = %c0 to %n step %c1 : i32 {
                        scf.for %i11 = %c0 to %n step %c1 : i32 {
                          scf.for %i12 = %c0 to %n step %c1 : i32 {
                            scf.for %i13 = %c0 to %n step %c1 : i32 {
                              scf.for %i14 = %c0 to %n step %c1 : i32 {
                                scf.for %i15 = %c0 to %n step %c1 : i32 {
                                  scf.for %i16 = %c0 to %n step %c1 : i32 {
                                    scf.for %i17 = %c0 to %n step %c1 : i32 {
                                      scf.for %i18 = %c0 to %n step %c1 : i32 {
                                        scf.for %i19 = %c0 to %n step %c1 : i32 {
                                          scf.for %i20 = %c0 to %n step %c1 : i32 {
                                            scf.for %i21 = %c0 to %n step %c1 : i32 {
                                              scf.for %i22 = %c0 to %n step %c1 : i32 {
                                                scf.for %i23 = %c0 to %n step %c1 : i32 {
                                                  scf.for %i24 = %c0 to %n step %c1 : i32 {
                                                    scf.for %i25 = %c0 to %n step %c1 : i32 {
                                                      scf.for %i26 = %c0 to %n step %c1 : i32 {
                                                        scf.for %i27 = %c0 to %n step %c1 : i32 {
                                                          scf.for %i28 = %c0 to %n step %c1 : i32 {
                                                            scf.for %i29 = %c0 to %n step %c1 : i32 {
                                                              scf.for %i30 = %c0 to %n step %c1 : i32 {
                                                                scf.for %i31 = %c0 to %n step %c1 : i32 {
                                                                  scf.for %i32 = %c0 to %n step %c1 : i32 {
                                                                    scf.for %i33 = %c0 to %n step %c1 : i32 {
                                                                      scf.for %i34 = %c0 to %n step %c1 : i32 {
                                                                        scf.for %i35 = %c0 to %n step %c1 : i32 {
                                                                          scf.for %i36 = %c0 to %n step %c1 : i32 {
                                                                            scf.for %i37 = %c0 to %n step %c1 : i32 {
                                                                              scf.for %i38 = %c0 to %n step %c1 : i32 {
                                                                                scf.for %i39 = %c0 to %n step %c1 : i32 {
  %0 = tile.reduce %x {axis = 0 : i32, tilegpu.shared_offset = 0 : i32} : tensor<128xf32, #l> -> f32 {
  ^bb0(%a: f32, %b: f32):
    tile.yield %a : f32
  }
                                                                                }
                                                                              }
                                                                            }
                                                                          }
                                                                        }
                                                                      }
                                                                    }
                                                                  }
                                                                }
                                                              }
                                                            }
                                                          }
                                                        }
                                                      }
                                                    }
                                                  }
                                                }
                                              }
                                            }
                                          }
                                        }
                                      }
                                    }
                                  }
                                }
                              }
                            }
                          }
                        }
                      }
                    }
                  }
                }
              }
            }
          }
        }
      }
    }
  }
  return
}

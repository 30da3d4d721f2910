;;; parley-form.el --- Forms in the minibuffer  -*- lexical-binding: t; -*-

;;; Commentary:

;; The fields of a form are asked for one by one; what is wrong with a value
;; shows while it is typed.  Then all of it is reviewed before it is sent.
;; C-g at a field goes to the review, where every way out is.
;;
;; A value is a plist (:text STRING) or (:chosen VECTOR), nil for none.

;;; Code:

(require 'parley-questions)

(defun parley--encode (value)
  "VALUE as the helper wants it."
  (or value (make-hash-table)))

(defun parley--problem (form index value)
  "What is wrong with VALUE for the field INDEX of FORM, or nil."
  (plist-get (parley--ask-helper 'validate `(:form ,form :field ,index :value ,(parley--encode value)))
             :problem))

(defun parley--watch (form index)
  "Show behind what is typed what is wrong with it for the field INDEX of FORM."
  (let ((overlay (make-overlay (point-max) (point-max) nil t t))
        (last nil))
    (add-hook 'post-command-hook
              (lambda ()
                (let ((typed (minibuffer-contents-no-properties))
                      (buffer (current-buffer)))
                  (unless (equal typed last)
                    (setq last typed)
                    (jsonrpc-async-request
                     (parley--connect) 'validate
                     `(:form ,form :field ,index :value ,(parley--encode (and (not (string-empty-p typed)) `(:text ,typed))))
                     :error-fn #'ignore
                     :success-fn
                     (lambda (result)
                       (when (and (buffer-live-p buffer) (equal typed last))
                         (with-current-buffer buffer
                           (let ((problem (plist-get result :problem)))
                             (move-overlay overlay (point-max) (point-max))
                             (overlay-put overlay 'after-string
                                          (and problem (not (string-empty-p typed))
                                               (propertize (concat " [" problem "]") 'face 'parley-problem 'cursor 0)))))))))))
              nil t)))

(defun parley--read-text (form index field value)
  "Read a text for FIELD, the one INDEX of FORM, beginning with VALUE."
  (let ((label (plist-get field :label))
        (typed (plist-get value :text))
        problem)
    (while
        (progn
          (setq typed (minibuffer-with-setup-hook (lambda () (parley--watch form index))
                        (read-string (concat (when problem (concat (propertize problem 'face 'parley-problem) ". ")) label ": ")
                                     typed)))
          (setq value (unless (string-empty-p typed) (list :text typed))
                problem (parley--problem form index value))))
    value))

(defun parley--read-choice (field)
  "Read one of the options of FIELD."
  (let ((choices (cl-loop for option across (plist-get field :options)
                          for i from 0
                          collect (cons option (list :chosen (vector i))))))
    (parley--choose (concat (plist-get field :label) ": ")
                    (if (parley--true (plist-get field :required))
                        choices
                      (append choices '(("(leave it out)")))))))

(defun parley--read-choices (form index field value)
  "Read several options of FIELD, the one INDEX of FORM, beginning with VALUE."
  (let* ((options (append (plist-get field :options) nil))
         (chosen (append (plist-get value :chosen) nil))
         (label (plist-get field :label))
         problem done)
    (while (not done)
      (let ((picked
             (parley--choose
              (concat (when problem (concat problem ". ")) label " (mark or unmark): ")
              (append
               (cl-loop for option in options
                        for i from 0
                        collect (cons (concat (if (memq i chosen) "[x] " "[ ] ") option) i))
               '(("Done" . done))))))
        (if (eq picked 'done)
            (setq value (when chosen (list :chosen (vconcat (sort (copy-sequence chosen) #'<))))
                  problem (parley--problem form index value)
                  done (null problem))
          (setq chosen (if (memq picked chosen) (delq picked chosen) (cons picked chosen))))))
    value))

(defun parley--read-field (form index field value)
  "Read a value for FIELD, the one INDEX of FORM, beginning with VALUE."
  (pcase (plist-get field :kind)
    ("choices" (parley--read-choices form index field value))
    ((or "boolean" "choice") (parley--read-choice field))
    (_ (parley--read-text form index field value))))

(defun parley--words (field value)
  "VALUE of FIELD in words."
  (cond ((plist-get value :text))
        ((> (length (plist-get value :chosen)) 0)
         (mapconcat (lambda (i) (aref (plist-get field :options) i)) (plist-get value :chosen) ", "))
        (t "(left out)")))

(defun parley--insert-fields (fields values problems)
  "Insert FIELDS with VALUES and PROBLEMS."
  (cl-loop for field across fields
           for value across values
           for problem across problems
           do (insert (plist-get field :label) (if (parley--true (plist-get field :required)) " *: " ": ")
                      (parley--words field value) "\n")
           (parley--insert-quote (plist-get field :description) "  ")
           (when-let ((hint (plist-get field :hint)))
             (insert (propertize (concat "  " hint) 'face 'parley-hint) "\n"))
           (when problem
             (insert (propertize (concat "  ! " problem) 'face 'parley-problem) "\n"))))

(defun parley--fill (form fields values show)
  "Have the FIELDS of FORM filled in, beginning with VALUES, which it changes.
SHOW shows them.  C-g ends it."
  (condition-case nil
      (dotimes (i (length fields))
        (funcall show)
        (aset values i (parley--read-field form i (aref fields i) (aref values i))))
    (quit nil)))

(defun parley--review (fields)
  "What can be changed of FIELDS, for the review."
  (cl-loop for field across fields
           for i from 0
           collect (cons (concat "Change " (plist-get field :label)) i)))

(defun parley--defaults (fields)
  "The values that FIELDS begin with."
  (vconcat (mapcar (lambda (field) (plist-get field :value)) fields)))

(defun parley--put-form (question)
  "Put QUESTION, an ask/elicit, to the person."
  (let* ((form (parley--get question :form))
         (fields (or (parley--get question :fields) []))
         (known (parley-question-values question))
         (earlier (parley--true (parley--get question :earlier)))
         (values (or known (parley--defaults fields)))
         (show (lambda ()
                 (parley--show question ""
                               (lambda ()
                                 (when earlier
                                   (insert (propertize "filled in as you answered before" 'face 'parley-hint) "\n"))
                                 (parley--insert-fields fields values (parley-question-problems question)))))))
    (setf (parley-question-values question) values
          (parley-question-problems question) (make-vector (length fields) nil))
    (unless (or known earlier) ; which goes to the review
      (parley--fill form fields values show))
    (while (not (parley-question-over question))
      (funcall show)
      (let ((chosen (parley--choose
                     (if (length= fields 0)
                         (format "Say yes to %s? " (parley--get question :server))
                       (format "Send this to %s? " (parley--get question :server)))
                     (append (if (length= fields 0) '(("Yes" . "accept")) '(("Send" . "accept")))
                             (parley--ways question t)
                             (parley--review fields)))))
        (cond
         ((integerp chosen)
          (condition-case nil
              (aset values chosen (parley--read-field form chosen (aref fields chosen) (aref values chosen)))
            (quit nil)))
         ((equal chosen "accept")
          (let ((refused (parley--answer question "accept" :values (vconcat (mapcar #'parley--encode values))))
                (problems (make-vector (length fields) nil)))
            (unless (eq refused t)
              (mapc (lambda (p) (aset problems (plist-get p :field) (plist-get p :problem)))
                    (plist-get refused :problems)))
            (setf (parley-question-problems question) problems)))
         (t (parley--answer question chosen)))))))

(provide 'parley-form)
;;; parley-form.el ends here
